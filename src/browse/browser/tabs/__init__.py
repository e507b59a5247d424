"""Tabs: numbered, locked, navigated, closed; their frames and dialogs."""
