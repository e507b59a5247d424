"""Going to pages and waiting for them."""
