"""Commands that navigate and wait."""
