"""The terminal: the person's agent in a pseudo-terminal, kept while nobody watches."""
