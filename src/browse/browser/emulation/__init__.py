"""Emulation: devices, locations, locales, network and CPU speeds."""
