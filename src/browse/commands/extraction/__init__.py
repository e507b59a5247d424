"""Commands that save files from pages."""
