"""Authentication: callers, their tokens and rights."""
