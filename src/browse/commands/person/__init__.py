"""Commands with which a person looks at the browser, or uses it."""
