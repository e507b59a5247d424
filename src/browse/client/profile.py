"""`--profile <dir>` before a command: the profile of the daemon that starts, or must run."""

import os

from browse import _exit
from browse.client._names import NAMES, TAKES_VALUE
from browse.client.main import PROFILE
from browse.client.wire import Failure

FLAG = PROFILE
VARIABLE = "BROWSE_PROFILE"


def take(words: list[str]) -> list[str]:
    """Take the flag out of the words before the command, and set its variable."""
    at, kept = 0, []
    while at < len(words) and words[at].startswith("-"):
        name, equals, value = words[at].partition("=")
        if name != FLAG:
            kept.append(words[at])
            if not equals and name in TAKES_VALUE and at + 1 < len(words):
                at += 1
                kept.append(words[at])
        else:
            if not equals and at + 1 < len(words):
                at += 1
                value = words[at]
            os.environ[VARIABLE] = _checked(value, words[at + 1 :])
        at += 1
    return [*kept, *words[at:]]


def _checked(value: str, rest: list[str]) -> str:
    if not value or value.startswith("-") or (value in NAMES and not rest):
        raise _wrong(f"{FLAG}: the folder is missing")
    if ".." in value.split("/"):
        raise _wrong(f"{FLAG}: a name with `..` in it is refused: {value[:200]}")
    return value


def _wrong(what: str) -> Failure:
    return Failure(_exit.USAGE, what, f"Usage: browse {FLAG} <dir> <command>")
