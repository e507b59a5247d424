"""Pictures of pages."""
