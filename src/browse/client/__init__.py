"""The `browse` command: a thin client that passes words to the daemon and copies the reply."""
