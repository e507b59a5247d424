"""The browser in a window that a person sees: its display, its profile, and moving into it."""
