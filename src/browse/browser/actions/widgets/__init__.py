"""Widgets that are no plain fields: choices, calendars, trees, sliders."""
