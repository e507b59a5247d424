"""Commands about the daemon: status, stop, memory, activity, logs."""
