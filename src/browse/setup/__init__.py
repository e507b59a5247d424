"""Setting up a machine: `install`, `doctor` and `demo`. Runs in the person's own process."""
