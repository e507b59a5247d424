"""Commands that inspect and change styles, and hide clutter."""
