"""Browser-skills: folders with a script that does one task in the browser."""
