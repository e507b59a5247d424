"""The names that complete a word in a shell: of skills, states, logins, sessions and the like.

Asks the daemon if one runs, and never starts one. A shell expands what it is offered, so only plain
words are.
"""

import json

from browse import _exit
from browse.client import endpoint, main, wire

ANSWER_SECONDS = 2.0
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._@-")
# What to ask for, and where the names are in the answer.
KINDS = {
    "skills": (["skill", "list", "--json"], "skills", "name"),
    "states": (["state", "list", "--json"], "states", "name"),
    "logins": (["login", "list", "--json"], "logins", "name"),
    "checkpoints": (["checkpoint", "list", "--json"], "checkpoints", "name"),
    "sessions": (["session", "list", "--json"], "sessions", "session"),
    "tabs": (["tabs", "--json"], "tabs", "id"),
}


class Kept(wire.ReplyReader):
    """Keeps what the daemon prints instead of printing it."""

    __slots__ = ("said",)

    def __init__(self) -> None:
        super().__init__()
        self.said = b""

    def _copy(self, piece: bytes) -> None:
        if self._kind == b"1":
            self.said += piece


def answer(kind: str) -> int:
    """Print the names of a kind, one a line; nothing if there is nobody to ask."""
    found = _ask(kind) if kind in KINDS else []
    wire.put("".join(f"{name}\n" for name in found if name and PLAIN.issuperset(name)).encode())
    return _exit.OK


def _ask(kind: str) -> list[str]:
    words, rows, field = KINDS[kind]
    wire.SILENCE_SECONDS = ANSWER_SECONDS
    reader = Kept()
    try:
        daemon = endpoint.living(main.state_file())
        if daemon is None:
            return []
        main.CommandLine(words[0], words).to(daemon, reader)
        return [str(row[field]) for row in json.loads(reader.said)[rows]]
    except (wire.Trouble, wire.Failure, ValueError, LookupError, TypeError):
        return []  # a key that is pressed for a hint is no place for a complaint
