"""A browser that is not ours: the way to it, and what is ours in it."""
