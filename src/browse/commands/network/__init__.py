"""Emulation, headers, routes and HAR files."""
