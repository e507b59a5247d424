"""Acting on a page."""
