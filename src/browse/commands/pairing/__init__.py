"""Pair other agents, and open a tunnel for remote ones."""
