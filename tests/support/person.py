"""A person at a terminal of their own, who reads and answers what the client asks."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from support.cli import CLIENT, Project, Ran
from support.running import running

AT_TERMINAL = str(Path(__file__).with_name("at_terminal.py"))
PROMPTS = ("\n> ", "A PIN for this automation: ", "Once more: ", "(empty for none): ")


def person(project: Project, *words: str, types: Callable[[str], str]) -> tuple[Ran, str]:
    """Run the client at a terminal of its own, where a person reads and answers each question."""
    ours, theirs = os.openpty()
    with running(
        [sys.executable, AT_TERMINAL, *CLIENT, *words],
        cwd=project.root,
        env=project.env,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        shown = _converse(ours, types)
        out, err = process.communicate(timeout=150)
        os.close(ours)
        return Ran(process.returncode, out.decode(), err.decode()), shown


def _converse(terminal: int, types: Callable[[str], str]) -> str:
    """Answer whenever something is asked; give all that was shown, once the other side has gone."""
    shown = asked = ""
    while True:
        try:
            piece = os.read(terminal, 4096).decode()
        except OSError:  # nobody has the terminal any more
            return shown
        if not piece:
            return shown
        shown, asked = shown + piece, asked + piece
        if asked.endswith(PROMPTS):
            os.write(terminal, types(asked).encode() + b"\n")
            asked = ""
