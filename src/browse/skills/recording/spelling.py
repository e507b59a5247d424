"""Write values into Python and YAML, and make names from the words of a page.

Page words become code only as literals; in names, only plain letters and digits are kept.
"""

import keyword
import re
import unicodedata
from collections.abc import Iterable

MAX_NAME_CHARS = 32
_OTHER = re.compile(r"[^a-z0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}


def literal(value: str) -> str:
    """Write text as a Python literal, in double quotes if that needs no escapes."""
    plain = repr(value)
    if plain[0] == "'" and '"' not in plain and "\\'" not in plain:
        return f'"{plain[1:-1]}"'
    return plain


def scalar(value: str) -> str:
    """Write text as a YAML scalar in double quotes. Only for what `is_plain`."""
    return '"' + "".join(_ESCAPED.get(char, char) for char in value) + '"'


def is_plain(value: str) -> bool:
    """Check whether a SKILL.md can hold a value: no invisible characters."""
    return value.replace("\n", " ").isprintable()


def slug(words: str) -> str:
    """Make a name from words: lower-case ASCII with underscores; "" if nothing is left."""
    plain = unicodedata.normalize("NFKD", words[:200]).encode("ascii", "ignore").decode()
    found = _OTHER.sub("_", _HUMP.sub("_", plain).lower()).strip("_")
    if len(found) > MAX_NAME_CHARS:
        found = found[: MAX_NAME_CHARS + 1].rpartition("_")[0] or found[:MAX_NAME_CHARS]
    return found if found[:1].isalpha() else ""


class PythonNames:
    """Names that are unique, and that neither Python nor the script uses itself."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def give(self, *wishes: str) -> str:
        """Return the first candidate that makes a name, with a number if it is taken."""
        wish = next(filter(None, map(slug, wishes)))
        name, number = wish, 1
        while name in self._taken or keyword.iskeyword(name):
            number += 1
            name = f"{wish}_{number}"
        self._taken.add(name)
        return name
