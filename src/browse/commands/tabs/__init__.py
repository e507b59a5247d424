"""Tabs, frames and sessions."""
