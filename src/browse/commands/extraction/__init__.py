"""Saving files from pages."""
