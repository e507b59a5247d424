"""The only way out: every word that leaves the daemon passes through here, once."""
