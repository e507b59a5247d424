"""Commands that act on a page."""
