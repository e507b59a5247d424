"""A library as a project of Django, to be kept in its admin."""
