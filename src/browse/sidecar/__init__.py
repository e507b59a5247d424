"""A process of its own for models that are too heavy for the daemon: `python -m browse.sidecar`."""
