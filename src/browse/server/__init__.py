"""The daemon's HTTP listener."""
