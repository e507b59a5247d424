"""Domain globs: `example.com` is that host, `*.example.com` it and everything below it."""

import re
from collections.abc import Iterable

from browse.core.errors import Usage

MAX_GLOBS = 100
_GLOB = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


def globs(words: Iterable[str]) -> tuple[str, ...]:
    """Check globs as they were typed, each perhaps a list with commas."""
    found = [part.strip().lower().rstrip(".") for word in words for part in word.split(",")]
    for glob in found:
        if len(glob) > 255 or not _GLOB.fullmatch(glob):
            raise Usage(f"{glob[:60]!r} is not a domain", hint="give example.com, or *.example.com")
    if len(found) > MAX_GLOBS:
        raise Usage(f"more than {MAX_GLOBS} domains", hint="use *.example.com for a whole domain")
    return tuple(dict.fromkeys(found))


def allowed(host: str, globs: Iterable[str]) -> bool:
    """Tell whether a host is covered by one of the globs."""
    host = host.lower().rstrip(".")
    return any(_covers(glob, host) for glob in globs)


def _covers(glob: str, host: str) -> bool:
    if glob.startswith("*."):
        return host == glob[2:] or host.endswith(glob[1:])
    return host == glob
