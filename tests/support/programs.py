"""Small programs that stand in for large ones."""

from pathlib import Path


def a_program(path: Path, script: str = "exit 0") -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
