"""Playwright behind our own nouns; the only package that imports it."""
