"""Read a page: its accessibility tree, text, article, and the values of scripts."""
