"""Acting on a page: mouse, keyboard, forms, scrolling, waiting for the effect."""
