"""Requests: the SOCKS proxy, rules for what may be sent, routes, the traffic log."""
