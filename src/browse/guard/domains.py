"""Domain patterns: `example.com` is that host alone, `*.example.com` it and all below it.

The same rule for the setting that limits a daemon and for callers that may see some sites only.
"""

from collections.abc import Iterable, Sequence

import msgspec

from browse.core.errors import Usage
from browse.guard.hosts import host_of, normal_host

_BELOW = "*."
_HINT = "write example.com for one host, *.example.com for it and all below it"


class Allowed(msgspec.Struct, frozen=True):
    """The domains that something is limited to; none means that it is not limited."""

    patterns: tuple[str, ...]


def parse(raw: str) -> str:
    """Read one pattern; a scheme, a port, a path or a star elsewhere is an error."""
    word = raw.strip()
    below, bare = word.startswith(_BELOW), word.removeprefix(_BELOW).removesuffix(".")
    try:
        host = normal_host(bare)
    except ValueError:
        host = ""
    if not host or "*" in host or "," in host:
        raise Usage(f"{word[:80]!r} is not a domain", hint=_HINT)
    return _BELOW + host if below else host


def parse_list(words: str) -> tuple[str, ...]:
    """Read patterns that commas separate."""
    return tuple(parse(word) for word in words.split(",") if word.strip())


def parse_lists(given: Sequence[str]) -> tuple[str, ...]:
    """Read the patterns of several lists; raise if something was given and names no domain.

    No patterns means all domains, which nobody means who gives an empty one.
    """
    patterns = parse_list(",".join(given))
    if given and not patterns:
        raise Usage("no domain is named", hint="name some, such as example.com,*.example.org")
    return patterns


def covers(patterns: Iterable[str], host: str) -> bool:
    """Check whether a host is one of those that the patterns name; no pattern names none."""
    return any(_matches(pattern, host) for pattern in patterns)


def covers_url(patterns: Iterable[str], url: str) -> bool:
    """Check the same of the host of an address as Chromium spells it."""
    host = host_of(url)
    return bool(host) and covers(patterns, host)


def _matches(pattern: str, host: str) -> bool:
    apex = pattern.removeprefix(_BELOW)
    return host == apex or (apex != pattern and host.endswith(f".{apex}"))
