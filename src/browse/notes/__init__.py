"""Notes on sites: stored per host, and scanned before they are trusted."""
