"""A person at the browser: tabs that they have, the live view, and what they did."""
