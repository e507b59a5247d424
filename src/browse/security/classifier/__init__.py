"""Our own classifier of page words: features, weights, and what of a long text is weighed."""
