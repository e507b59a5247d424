"""Deceptive characters: invisible ones, look-alikes, and the plain text without them."""
