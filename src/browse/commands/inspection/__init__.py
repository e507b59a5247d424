"""Looking into a page: scripts, elements, logs, the DevTools protocol."""
