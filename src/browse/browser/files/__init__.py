"""Files from pages: downloads, fetched addresses, archives of whole pages."""
