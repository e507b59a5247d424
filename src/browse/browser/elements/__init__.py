"""Finding one element: by selector or ref, and knowing it again."""
