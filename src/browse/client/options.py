"""Start options: flags such as `--proxy`, for the daemon that a command starts.

They travel in the daemon's environment, not among its arguments, which everybody can read.
"""

import os

from browse import _exit
from browse.client import main
from browse.client._names import NAMES, START_FLAGS
from browse.client.wire import Failure

VARIABLE = "BROWSE_START_OPTIONS"


def take(words: list[str]) -> list[str]:
    """Take the options out of the words, and put them where a daemon finds them."""
    left: list[str] = []
    given: dict[str, list[str]] = {}
    queue = list(words)
    while queue:
        word = queue.pop(0)
        flag, equals, value = word.partition("=")
        if word == "--":
            left += [word, *queue]
            break
        if flag not in START_FLAGS or (START_FLAGS[flag][4] and not NAMES.isdisjoint(left)):
            left.append(word)
            continue
        if not equals:
            value = queue.pop(0) if queue and not queue[0].startswith("-") else ""
        given.setdefault(flag, []).append(_checked(flag, value))
    if given and main.only_reads():
        from browse.client import offline  # it has the words for this

        offline.only_reads(next(iter(given)))
    os.environ[VARIABLE] = "\n".join(_line(flag, values) for flag, values in given.items())
    return left


def _checked(flag: str, value: str) -> str:
    if not value or "\n" in value:
        metavar = START_FLAGS[flag][3]
        raise Failure(
            _exit.USAGE,
            f"{flag} needs a value: {flag} <{metavar}>.",
            "`browse help` says what it does.",
        )
    return value


def _line(flag: str, values: list[str]) -> str:
    variable, joined, is_path, _, _ = START_FLAGS[flag]
    if len(values) > 1 and not joined:
        raise Failure(_exit.USAGE, f"{flag} was given {len(values)} times.", "Give it once.")
    if is_path:
        values = [os.path.abspath(os.path.expanduser(value)) for value in values]
    return f"{variable}={joined.join(values)}"
