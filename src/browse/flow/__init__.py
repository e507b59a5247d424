"""Steps: what was done in a tab, kept, run again, and turned into skills."""
