"""Commands for screenshots, PDF files and comparisons of pages."""
