"""Looking at styles and changing them."""
