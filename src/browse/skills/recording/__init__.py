"""Codify: turn the steps of a tab into a skill."""
