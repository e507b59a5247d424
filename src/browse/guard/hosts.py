"""The host of an address, read the way browsers read it (the WHATWG URL standard, UTS 46).

Not the way `urllib` does, which takes `http://a\\@b/` to lead to b where browsers go to a. Where
this reading and a browser's could differ, the address is refused.
"""

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from unicodedata import category, normalize
from urllib.parse import unquote

MAX_HOST_CHARS = 254  # with the final dot
PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443"}
_EDGES = "".join(map(chr, range(0x21)))
_DROPPED = re.compile(r"[\t\n\r]")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_END = re.compile(r"[/\\?#]")
_HOST_PORT = re.compile(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?")
# What UTS 46 maps to nothing: a soft hyphen inside "169.254" does not make it another address.
_IGNORED = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]"
)
# Where UTS 46 does not fold as Unicode does: faß.de is not fass.de, and some dots part labels.
_MAPPED = {
    "\u00df": "\u00df",
    "\u1e9e": "\u00df",
    "\u03c2": "\u03c2",
    **dict.fromkeys(".\u3002\uff0e\uff61", "."),
}
_JOINERS = "\u200c\u200d"  # some scripts need them
_NOT_IN_HOST = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|\ufffd]")
_NUMERIC = re.compile("[0-9]+|0x[0-9a-f]*")
_DIGITS = {8: re.compile("[0-7]*"), 10: re.compile("[0-9]+"), 16: re.compile("[0-9a-f]*")}


@dataclass(frozen=True, slots=True)
class Authority:
    """What stands between scheme and path: `host` has no brackets, `port` no leading zeros."""

    login: str = field(repr=False)
    host: str
    port: str
    tail: str  # path, query and fragment


def cleaned(url: str) -> str:
    """Take out of an address what browsers take out before they read it."""
    return _DROPPED.sub("", url.strip(_EDGES))


def host_of(url: str) -> str:
    """Return the host of a web address, without brackets and final dot; "" if it has none.

    Web addresses begin with http:, https:, ws: or wss:.
    """
    return place_of(url)[0]


def place_of(url: str) -> tuple[str, str]:
    """Return the host of a web address and its port; both are "" if it has none."""
    text = cleaned(url)
    scheme = SCHEME.match(text)
    if not scheme or scheme[1].lower() not in PORTS:
        return "", ""
    try:
        parts = authority(text[scheme.end() :])
    except ValueError:
        return "", ""
    return parts.host.removesuffix("."), parts.port or PORTS[scheme[1].lower()]


def authority(rest: str) -> Authority:
    """Read what follows the scheme of a web address; raise ValueError if no browser could."""
    rest = rest.lstrip("/\\")
    end = _END.search(rest)
    at = end.start() if end else len(rest)
    login, sign, place = rest[:at].rpartition("@")
    found = _HOST_PORT.fullmatch(place)
    if not found:
        raise ValueError(place)
    port = found[2] or ""
    port = port.lstrip("0") or port[:1]
    if len(port) > 5 or int(port or "0") > 65_535:
        raise ValueError(port)
    return Authority(login + sign, _host(found[1]), port, rest[at:])


def normal_host(raw: str) -> str:
    """Spell a host, an address of either family included, as browsers do; else a ValueError."""
    bare = raw.removeprefix("[").removesuffix("]")
    return str(IPv6Address(bare)) if ":" in bare and "%" not in bare else _name(raw)


def _host(raw: str) -> str:
    if not raw.startswith("["):
        return _name(raw)
    if "%" in raw:
        raise ValueError(raw)
    return str(IPv6Address(raw[1:-1]))


def _name(raw: str) -> str:
    """Spell a host the way a browser looks it up: dotted IPv4 or a lower-case ASCII name.

    A label that stays outside ASCII leaves in its xn-- form: the browser only checks that form,
    so it cannot see an address where this function saw a name.
    """
    name = unquote(raw)
    name = name.lower() if name.isascii() else _mapped(name)
    labels = name.removesuffix(".").split(".")
    hollow = any(label.startswith("xn--") and label.endswith("-") for label in labels)
    if _NOT_IN_HOST.search(name) or "" in labels or hollow or len(name) > MAX_HOST_CHARS:
        raise ValueError(name)
    if _NUMERIC.fullmatch(labels[-1]):
        return str(_ipv4(labels))
    coded = (one if one.isascii() else f"xn--{one.encode('punycode').decode()}" for one in labels)
    host = ".".join(coded) + name[len(name.removesuffix(".")) :]
    if len(host) > MAX_HOST_CHARS:
        raise ValueError(host)
    return host


def _mapped(name: str) -> str:
    """Map each character as UTS 46 does."""
    name = _IGNORED.sub("", name)
    # What our tables do not know, newer ones may map to something: nobody can say what it is.
    if any(category(char).startswith("C") and char not in _JOINERS for char in name):
        raise ValueError(name)
    return normalize("NFC", "".join(map(_folded, name)))


def _folded(char: str) -> str:
    if char in _MAPPED:
        return _MAPPED[char]
    folded = normalize("NFKC", normalize("NFKC", char.casefold()).casefold())
    if "." in folded:
        raise ValueError(char)  # `\u2488`, which is no dot to a browser
    return folded


def _ipv4(parts: list[str]) -> IPv4Address:
    *high, low = [_number(part) for part in parts]
    if len(high) > 3 or any(part > 255 for part in high) or low >= 256 ** (4 - len(high)):
        raise ValueError(parts)
    return IPv4Address(sum(part << (24 - 8 * at) for at, part in enumerate(high)) + low)


def _number(part: str) -> int:
    digits, base = part, 10
    if part.startswith("0x"):
        digits, base = part[2:], 16
    elif part.startswith("0") and len(part) > 1:
        digits, base = part[1:], 8
    if not _DIGITS[base].fullmatch(digits):
        raise ValueError(part)
    return int(digits or "0", base)
