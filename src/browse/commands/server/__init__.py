"""The daemon itself."""
