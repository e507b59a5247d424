"""Attacks in page words: how they are detected, scored and recorded."""
