"""The bridge to the scripts that run inside pages, and the shapes of their replies."""
