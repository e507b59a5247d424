"""The file that browser-skills talk to the daemon with; each skill has a copy of it."""
