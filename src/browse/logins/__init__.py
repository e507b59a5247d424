"""Logins that agents use and never see: kept encrypted, filled in where they belong only."""
