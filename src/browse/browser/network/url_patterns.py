"""Patterns of addresses: Playwright's globs, and what a person means by a part of an address.

`*` is anything but a slash, `**` anything, `{a,b}` one of these, `\\*` a star; all else is itself,
`?` as well. A pattern with `://` is the whole address. A part with a star in it is the end of the
address, one without may stand anywhere. The query does not count unless the pattern has a `?`.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote

from browse.core.errors import Usage

MAX_CHARS = 2000
_GLOB = re.compile(r"\\(?P<escaped>.)|(?P<stars>\*+)|(?P<mark>[{},])|(?P<char>.)", re.DOTALL)
_MARKS = {"{": "(?:", "}": ")", ",": "|"}
HINT = "such as /api/, '*.png', 'https://example.com/**' or '**/{a,b}.js'"


@dataclass(frozen=True, slots=True)
class UrlPattern:
    """A pattern as it was typed, and what it means."""

    text: str
    regex: re.Pattern[str]


def compile_pattern(text: str) -> UrlPattern:
    """Read a pattern; the expression is one that JavaScript understands as well."""
    if not text.strip():
        raise Usage("the pattern is empty", hint=f"give one {HINT}")
    if len(text) > MAX_CHARS:
        raise Usage(f"the pattern has more than {MAX_CHARS} characters", hint=f"give one {HINT}")
    whole = _with_host(text)
    body, starred = _translated(whole)
    query = "" if "?" in text else r"(?:\?.*)?"
    if "://" in text:
        return UrlPattern(text, re.compile(f"^{body}{query}$"))
    return UrlPattern(text, re.compile(f"^.*{body}{query}$" if starred else body))


def _with_host(text: str) -> str:
    """Spell the host of a whole address as browsers do: in small letters, with a path."""
    scheme, sign, rest = text.partition("://")
    if not sign:
        return text
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.lower()}{slash or ('' if '*' in host else '/')}{path}"


def _translated(glob: str) -> tuple[str, bool]:
    parts: list[str] = []
    starred = inside = False
    for found in _GLOB.finditer(glob):
        mark = found["mark"]
        if found["stars"]:
            starred = True
            parts.append("[^/]*" if found["stars"] == "*" else ".*")
        elif mark in ("{", "}") or (mark and inside):
            if (mark == "{") is inside and mark != ",":
                raise _unbalanced(glob)
            inside = mark != "}"
            parts.append(_MARKS[mark])
        else:
            parts.append(_literal(found["escaped"] or mark or found["char"]))
    if inside:
        raise _unbalanced(glob)
    return "".join(parts), starred


def _literal(char: str) -> str:
    return re.escape(char if "!" <= char <= "~" else quote(char))


def _unbalanced(glob: str) -> Usage:
    return Usage(
        f"the braces in {glob[:60]!r} do not fit together",
        hint=f"each {{ needs its }}, and none goes inside another; write \\{{ for a brace: {HINT}",
    )
