"""The daemon process: how it is put together, starts and ends."""
