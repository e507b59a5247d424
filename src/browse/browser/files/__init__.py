"""Files from and for pages: downloads, page archives, HTML to load."""
