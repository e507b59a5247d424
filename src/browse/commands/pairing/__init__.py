"""Letting other agents in, and the way in from outside."""
