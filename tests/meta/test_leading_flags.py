"""The client and the daemon find the same command behind leading flags.

The client cannot import the registry, so each has the rule in a line of its own; here they are
tried against each other.
"""

from itertools import product

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.client import _names, main
from browse.core.errors import BrowseError
from browse.registry.spec import declared
from browse.registry.table import CommandTable

TABLE = CommandTable(declared())
WORDS = [
    "--json",
    "--tab-id",
    "3",
    "--session=text",
    "text",
    "url",
    "setcontent",
    "--",
    "-",
    "nope",
]
LINES = [list(line) for size in (1, 2, 3, 4) for line in product(WORDS, repeat=size)]


def by_daemon(words: list[str]) -> str:
    """Name the word that the daemon takes for the command, "" for none."""
    try:
        spec, rest = TABLE.split(words)
    except BrowseError:
        return ""
    left = list(words)
    for word in rest:
        left.remove(word)
    assert left[0] in (spec.name, *spec.aliases)
    return left[0]


def by_client(words: list[str]) -> str:
    name = main._command(words)
    return name if name in _names.NAMES else ""


@pytest.mark.parametrize("first", WORDS)
def test_client_and_daemon_find_the_same_command(first):
    lines = [line for line in LINES if line[0] == first]

    assert [line for line in lines if by_client(line) != by_daemon(line)] == []
