"""A separate process for models that are too heavy for the daemon: `python -m browse.sidecar`."""
