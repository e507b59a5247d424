"""Getting a machine ready: `install`, `doctor` and `demo`. Runs in the person's own process."""
