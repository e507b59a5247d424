"""The web site of a bakery as a project of Wagtail."""
