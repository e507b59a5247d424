"""Words that every other package shares. Imports nothing of ours but the two leaves."""
