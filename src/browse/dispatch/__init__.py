"""Running a command: bind, gates, lane, handler, egress."""
