"""Turning what was done in a tab into a skill: which steps, with what arguments, in which words."""
