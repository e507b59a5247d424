"""Tunnels: ways to make a port of this machine reachable from outside, behind one interface."""
