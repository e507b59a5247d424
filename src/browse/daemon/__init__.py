"""The daemon process: composition, life and death."""
