"""Egress: every reply of the daemon passes through here, once."""
