"""Pure refusals: which addresses and which files a caller may name."""
