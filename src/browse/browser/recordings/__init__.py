"""Recordings that are started, stopped and saved: trace, video, HAR."""
