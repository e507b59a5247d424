"""Notes on sites: what was learned there, kept per host, weighed before they are believed."""
