"""Reading a page: its tree, its text, its article, the value of a script."""
