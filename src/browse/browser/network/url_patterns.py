"""URL patterns: Playwright's globs, and parts of an address.

`*` matches anything but a slash, `**` anything, `{a,b}` one of these, `\\*` a star; every other
character, also `?`, matches itself. A pattern with `://` matches the whole address. Without it, a
pattern with a star matches the end of the address, and one without a star any part of it. The query
is ignored unless the pattern has a `?`.

A page chooses its addresses, which may have millions of characters, and every tab waits meanwhile.
So no regular expression decides, which could take the square of that time: each literal gets the
first place that fits, and no place is looked at twice.
"""

import re
from enum import Enum
from itertools import product
from math import prod
from urllib.parse import quote

import msgspec

from browse.core.errors import Usage

MAX_CHARS = 2000
MAX_CHOICES = 100
_GLOB = re.compile(r"\\(?P<escaped>.)|(?P<stars>\*+)|(?P<mark>[{},])|(?P<char>.)", re.DOTALL)
HINT = "such as /api/, '*.png', 'https://example.com/**' or '**/{a,b}.js'"


class Wild(Enum):
    """What a wildcard stands for."""

    NAME = "*"
    ANYTHING = "**"


# Literals with a `*` between each two; and such runs with a `**` between each two.
Run = tuple[str, ...]
Glob = tuple[Run, ...]
_Parts = list[str | Wild]


class UrlPattern(msgspec.Struct, frozen=True):
    """A pattern as it was typed, and what it stands for.

    `sieve` finds a part that every matching address has, and is valid in JavaScript too: with it
    the driver sorts out most of the other requests.
    """

    text: str
    sieve: re.Pattern[str]
    globs: tuple[Glob, ...]

    def matches(self, url: str) -> bool:
        """Tell whether an address matches, in a time that grows as its length."""
        ends = {url} if "?" in self.text else {url, url.partition("?")[0]}
        return any(_fits(glob, end) for glob in self.globs for end in ends)


def compile_pattern(text: str) -> UrlPattern:
    """Compile a pattern; raise if it is none."""
    if not text.strip():
        raise Usage("the pattern is empty", hint=f"give one {HINT}")
    if len(text) > MAX_CHARS:
        raise Usage(f"the pattern has more than {MAX_CHARS} characters", hint=f"give one {HINT}")
    choices, whole = _choices(_with_host(text)), "://" in text
    starred = any(isinstance(part, Wild) for parts in choices for part in parts)
    before: _Parts = [] if whole else [Wild.ANYTHING]
    after: _Parts = [] if whole or starred else [Wild.ANYTHING]
    globs = tuple(_runs([*before, *parts, *after]) for parts in choices)
    longest = {max((literal for run in glob for literal in run), key=len) for glob in globs}
    return UrlPattern(text, re.compile("|".join(map(re.escape, sorted(longest)))), globs)


def _with_host(text: str) -> str:
    """Normalise the host of a whole address as browsers do: lower case, with a path."""
    scheme, sign, rest = text.partition("://")
    if not sign:
        return text
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.lower()}{slash or ('' if '*' in host else '/')}{path}"


def _choices(glob: str) -> list[_Parts]:
    """Split a pattern into literals and wildcards: once for each choice among its braces."""
    stretches: list[list[_Parts]] = [[[]]]  # one after the other, each with its choices
    inside = False
    for found in _GLOB.finditer(glob):
        mark = found["mark"]
        if mark in ("{", "}"):
            if (mark == "{") is inside:
                raise _unbalanced(glob)
            inside = not inside
            stretches.append([[]])
        elif mark and inside:
            stretches[-1].append([])
        else:
            stretches[-1][-1].append(_part(found))
    if inside:
        raise _unbalanced(glob)
    if prod(map(len, stretches)) > MAX_CHOICES:
        said = f"the braces stand for more than {MAX_CHOICES} patterns"
        raise Usage(said, hint=f"give several rules, {HINT}")
    return [[part for choice in chosen for part in choice] for chosen in product(*stretches)]


def _part(found: re.Match[str]) -> str | Wild:
    if found["stars"]:
        return Wild.NAME if found["stars"] == "*" else Wild.ANYTHING
    char: str = found["escaped"] or found["mark"] or found["char"]
    return char if "!" <= char <= "~" else quote(char)


def _runs(parts: _Parts) -> Glob:
    runs = [[""]]
    for part in parts:
        if part is Wild.ANYTHING:
            runs.append([""])
        elif part is Wild.NAME:
            runs[-1].append("")
        else:
            runs[-1][-1] += part
    return tuple(map(tuple, runs))


def _fits(glob: Glob, url: str) -> bool:
    """Check whether a glob matches a whole address."""
    first, last = glob[0], glob[-1]
    if len(glob) == 1:
        return _is_run(first, url)
    at = _forwards(first, url, 0)
    for run in glob[1:-1]:
        at = _found(run, url, at)
    return 0 <= at <= _backwards(last, url)


def _is_run(run: Run, url: str) -> bool:
    *before, last = run
    if not before:
        return url == last
    at, rest = _forwards(tuple(before), url, 0), len(url) - len(last)
    return 0 <= at <= rest and url.endswith(last) and "/" not in url[at:rest]


def _forwards(run: Run, url: str, at: int) -> int:
    """Return where a run ends at the earliest that begins here; -1 if it does not."""
    if at < 0 or not url.startswith(run[0], at):
        return -1
    at += len(run[0])
    for literal in run[1:]:
        slash = url.find("/", at) % (len(url) + 1)
        found = url.find(literal, at, slash + len(literal))
        if found < 0:
            return -1
        at = found + len(literal)
    return at


def _found(run: Run, url: str, at: int) -> int:
    """Return where a run ends at the earliest that begins here or later; -1 if none does."""
    while at >= 0 and (start := url.find(run[0], at)) >= 0:
        if (end := _forwards(run, url, start)) >= 0:
            return end
        # From elsewhere before the same slash it would come to the same places.
        at = url.find("/", start) + 1 or -1
    return -1


def _backwards(run: Run, url: str) -> int:
    """Return where a run begins at the latest that ends with the address; -1 if none does."""
    if not url.endswith(run[-1]):
        return -1
    at = len(url) - len(run[-1])
    for literal in reversed(run[:-1]):
        after_slash = url.rfind("/", 0, at) + 1
        at = url.rfind(literal, max(0, after_slash - len(literal)), at)
        if at < 0:
            return -1
    return at


def _unbalanced(glob: str) -> Usage:
    return Usage(
        f"the braces in {glob[:60]!r} do not fit together",
        hint=f"each {{ needs its }}, and none goes inside another; write \\{{ for a brace: {HINT}",
    )
