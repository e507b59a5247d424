"""Commands: their declaration, their grammar, and the help made from both."""
