"""How the values of settings are parsed; each says in a ValueError what it would have taken."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from browse.core.launching.proxy_address import proxy_address

# In place of the address of a browser: the one that has our extension.
EXTENSION = "extension"


def number(low: int, high: int) -> Callable[[str], int]:
    def parse(raw: str) -> int:
        digits = raw.strip()
        if not digits.isdecimal() or len(digits) > 15 or not low <= int(digits) <= high:
            raise ValueError(f"a whole number from {low:,} to {high:,}")
        return int(digits)

    return parse


def switch(raw: str) -> bool:
    word = raw.strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off", ""):
        return False
    raise ValueError("on or off (1 or 0)")


def presence(raw: str) -> bool:
    """Parse variables that other programs set in many spellings (`CI=true`, `CI=woodpecker`)."""
    return raw.strip().lower() not in ("", "0", "false")


def secret(raw: str) -> str:
    """Strip white space and zero-width characters; raise for a secret that is too short."""
    kept = "".join(char for char in raw if not char.isspace() and char.isprintable())
    if len(kept) < 16 or not kept.isascii():  # an HTTP header carries nothing else
        raise ValueError("at least 16 ASCII characters")
    return kept


def one_of(*words: str) -> Callable[[str], str]:
    def parse(raw: str) -> str:
        word = raw.strip().lower()
        if word not in words:
            raise ValueError(" or ".join(words))
        return word

    return parse


def command_line(raw: str) -> tuple[str, ...]:
    """Split a command line as a shell does; no shell ever runs it.

    The path of a program is not split: it may have spaces in it.
    """
    if raw.startswith("/") and Path(raw).is_file():
        return (raw,)
    try:
        return tuple(shlex.split(raw))
    except ValueError as exc:
        raise ValueError(f"a command line ({exc})".lower()) from None


def forwarder(raw: str) -> tuple[str, ...]:
    words = command_line(raw)
    if not any("{port}" in word for word in words):
        raise ValueError("a command line with {port} in it")
    return words


def paths(raw: str) -> tuple[str, ...]:
    """Split paths as PATH has them."""
    return tuple(part for part in raw.split(":") if part)


def commas(raw: str) -> tuple[str, ...]:
    return tuple(word for part in raw.split(",") if (word := part.strip()))


def pattern(raw: str) -> re.Pattern[str]:
    try:
        return re.compile(raw)
    except re.error as exc:
        raise ValueError(f"a regular expression ({exc})") from None


def browser_address(raw: str) -> str:
    """Parse where a browser listens: a port, `http://host:port`, or the address of a WebSocket."""
    word = raw.strip().rstrip("/")
    address = f"http://127.0.0.1:{word}" if word.isdecimal() else word
    if address == EXTENSION:
        return address
    try:
        parts = urlsplit(address)
        fits = parts.scheme in ("http", "https", "ws", "wss") and bool(parts.hostname)
        fits = fits and (parts.port is None or parts.port > 0)
    except ValueError:  # a port that is none
        fits = False
    if not fits or not address.isprintable() or " " in address:
        raise ValueError("a port, http://host:port, a browser's ws:// address, or `extension`")
    return address


def browser_port(raw: str) -> str:
    """Parse the same from a port of this machine."""
    return browser_address(str(number(1, 65_535)(raw)))


# What these parse may be or contain a secret.
UNSHOWN = (secret, command_line, forwarder, proxy_address, browser_address)
