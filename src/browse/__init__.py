"""The browser that AI coding agents drive."""

__version__ = "0.1.0"
