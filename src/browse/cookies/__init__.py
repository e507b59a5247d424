"""Cookies of the person's everyday browsers, and of files: find them, read them, decrypt them."""
