"""Secrets that a command line names and does not hold: `--secret-env NAME`, `--secret-stdin`.

They leave for the daemon as stdin does, never among the words.
"""

import os

from browse import _exit
from browse.client import main, wire

ENV, STDIN = "--secret-env", "--secret-stdin"


def values(words: list[str]) -> bytes:
    """Return what the flags name, in their order, parted by NUL."""
    found = [_variable(words, at) for at, word in enumerate(words) if word.split("=", 1)[0] == ENV]
    if not any(word.split("=", 1)[0] == STDIN for word in words):
        return b"\0".join(found)
    if found:
        raise wire.Failure(_exit.USAGE, f"Give {ENV} or {STDIN}, not both.")
    if os.isatty(0):
        raise wire.Failure(
            _exit.USAGE,
            f"{STDIN} reads a pipe or a file, not a terminal.",
            f"For example: pass show shop | browse fill @e5 {STDIN}",
        )
    return main.read_stdin()


def _variable(words: list[str], at: int) -> bytes:
    """Return the value of a variable; `key=NAME` names it for an argument of a skill."""
    _, equals, given = words[at].partition("=")
    if not equals:
        given = words[at + 1] if at + 1 < len(words) else ""
    name = given.rpartition("=")[2]
    value = os.environb.get(os.fsencode(name), b"")
    if not value:
        raise wire.Failure(
            _exit.USAGE,
            f"{ENV}: the variable {name[:60]!r} is not set here, or empty. Nothing was done.",
            f"Set it for this one call: {name[:60] or 'NAME'}=… browse …",
        )
    return value
