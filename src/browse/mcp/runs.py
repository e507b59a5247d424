"""A command that a request needs, and how it ended; whoever serves the request runs it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from browse.mcp._offer import PAGES

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What a command printed, as it passed through egress, and its exit code.

    `reads_files`: its caller may read the files that it saved.
    """

    exit: int
    out: str
    err: str = ""
    reads_files: bool = True

    @property
    def text(self) -> str:
        """All that it printed; what was said about it comes last."""
        return "\n".join(part for part in (self.out.rstrip("\n"), self.err.rstrip("\n")) if part)


Finish = Callable[[RunOutcome], Json]


@dataclass(frozen=True, slots=True)
class Run:
    """The words of a command, what stands beside them, and what becomes of its outcome.

    `starts`: a daemon is started for it if none runs.
    """

    words: tuple[str, ...]
    finish: Finish
    tab: int | None = None
    session: str = ""
    stdin: str = ""
    only_reads: bool = True
    starts: bool = True


def command_at(words: tuple[str, ...]) -> int:
    """Return which of the words is the command: flags may come before it."""
    if not words[0].startswith("-"):
        return 0
    return next((at for at, word in enumerate(words) if word in PAGES), 0)
