"""What a page says."""
