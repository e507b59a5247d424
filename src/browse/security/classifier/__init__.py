"""Our classifier of page words: features, weights, and which parts of a long text are scored."""
