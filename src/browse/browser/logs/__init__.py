"""Console messages and requests of pages, in limited memory."""
