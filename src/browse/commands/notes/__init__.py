"""Notes on sites."""
