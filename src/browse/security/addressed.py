"""Whether words address a program that reads them, or give it orders: a test of words.

It is used for words that a person cannot see, which hardly ever speak like that. The same
expression runs in the engine of the page scripts.
"""

import re
import unicodedata
from functools import cache
from importlib import resources

from browse.security.characters.ignorable import RUN

# Nobody hides a book; text after this is not checked.
MOST_CHARS = 50_000
_NAMED = re.compile(r"([A-Z]+) = (.*)")


def _expression() -> str:
    names: dict[str, str] = {}
    patterns = []
    written = resources.files(__package__).joinpath("addressed.txt").read_text("utf-8")
    for line in written.splitlines():
        if not line or line.startswith("#"):
            continue
        for name, value in names.items():
            line = line.replace(f"{{{name}}}", value)
        if named := _NAMED.fullmatch(line):
            names[named[1]] = named[2]
        else:
            patterns.append(line)
    return "|".join(patterns)


EXPRESSION = _expression()


@cache
def _compiled() -> re.Pattern[str]:
    return re.compile(EXPRESSION, re.IGNORECASE | re.ASCII)  # takes a while, and not at start


def addressed(text: str) -> bool:
    """Check whether words address a program or give it orders."""
    plain = RUN.sub("", unicodedata.normalize("NFKC", text[:MOST_CHARS])).lower()
    return _compiled().search(re.sub(r"\s+", " ", plain)) is not None
