"""Checks of the addresses, files and values that a caller may use."""
