"""Characters that deceive: invisible ones, look-alikes, and what a text says without them."""
