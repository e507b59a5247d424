"""Commands that inspect a page: scripts, elements, logs, the DevTools protocol."""
