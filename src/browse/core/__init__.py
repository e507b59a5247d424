"""What every other package shares. Imports nothing of ours but the two leaf modules."""
