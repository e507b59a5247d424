"""Cookies, storage and saved states."""
