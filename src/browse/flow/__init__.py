"""What was done in a tab, step by step: kept, run again, and turned into skills."""
