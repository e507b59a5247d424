"""Which addresses the browser may be sent to.

An address is taken apart the way browsers do it (the WHATWG URL standard), not the way `urllib`
does, and put together again from the checked parts: what was checked is what the browser gets.
Loopback and private networks are allowed on purpose, for local servers. Redirects, sub-resources
and later answers of the resolver are checked where connections are made
(`browser/network/socks_proxy.py`).
"""

import asyncio
import re
import socket
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal, Protocol
from unicodedata import normalize
from urllib.parse import quote, unquote, urlsplit

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import Roots, check_read, shown

_SEAL = object()
_DNS_SECONDS = 2.0
HOST_CHARS = 254  # with the final dot

_NAMES = frozenset({"metadata.google.internal", "metadata.azure.internal", "metadata.goog"})
_NETWORKS = (
    IPv4Network("169.254.0.0/16"),
    IPv4Network("100.100.100.200/32"),  # Alibaba
    IPv4Network("168.63.129.16/32"),  # Azure's host agent
    IPv4Network("192.0.0.192/32"),  # Oracle
    IPv6Network("fc00::/7"),
    IPv6Network("fe80::/10"),
)
# IPv6 ranges that carry an IPv4 address, and how many bits from the right it ends.
_CARRIERS = (
    (IPv6Network("::/96"), 0),
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("::ffff:0:0:0/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),
    (IPv6Network("64:ff9b:1::/48"), 0),
    (IPv6Network("2002::/16"), 80),
)

_EDGES = "".join(map(chr, range(0x21)))
_DROPPED = re.compile(r"[\t\n\r]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY_END = re.compile(r"[/\\?#]")
_PATH_END = re.compile(r"[?#]")
_LOOKS_LIKE_PORT = re.compile(r"[0-9]{1,5}(?:[/\\?#]|$)")
_HOST_PORT = re.compile(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?")
_PORTS = {"http": "80", "https": "443"}
# What UTS 46 maps to nothing: a soft hyphen inside "169.254" does not make it another address.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff"
    "\U0001bca0-\U0001bca3\U000e0100-\U000e01ef]"
)
_NOT_IN_HOST = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|\ufffd]")
_NUMERIC = re.compile("[0-9]+|0x[0-9a-f]*")
_DIGITS = {8: re.compile("[0-7]*"), 10: re.compile("[0-9]+"), 16: re.compile("[0-9a-f]*")}
_OF_THE_WEB = re.compile(r"[\x00-\x20]*https?:", re.IGNORECASE)
_USERINFO = re.compile(r"^(https?://)[^/?#]*@")
# Before an "@", any other word may be a user name, which no message repeats.
_SAYABLE = frozenset({"about", "blob", "data", "ftp", "javascript", "mailto", "view-source"})

_ALLOWED = "Only http:, https:, file:, and about:blank URLs are permitted."
_LOGIN = "(not shown: it may hold a password)"
_EXAMPLE = "browse goto https://example.com"
_FILE_HINT = "Name the file: browse goto file:///full/path.html or file://./path-from-here.html"
_NO_FILE = {
    "": "Invalid file URL: no file is named",
    "/": "Invalid file URL: the root folder is not a page",
    "./": "Invalid file URL: a file name must follow ./",
    "~/": "Invalid file URL: a file name must follow ~/",
}


@dataclass(frozen=True, slots=True)
class NavUrl:
    """An address that passed the policy; made by `check_url` only.

    `text` is for the browser and may hold a password; `str()` leaves it out. `host` has no
    brackets and no final dot, and is empty for files and about:blank.
    """

    text: str = field(repr=False)
    host: str
    scheme: Literal["http", "https", "file", "about"]
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("a NavUrl is made by check_url only")

    def __str__(self) -> str:
        return _USERINFO.sub(r"\1", self.text)


class Resolver(Protocol):
    """Look up a host name's addresses, of both families; raise OSError when there are none."""

    async def __call__(self, host: str, /) -> list[str]: ...


def check_url(raw: str, *, cwd: str, roots: Roots) -> NavUrl:
    """Admit a web address, a file inside the roots, or about:blank; refuse everything else."""
    text = _DROPPED.sub("", raw.strip(_EDGES))
    found = _SCHEME.match(text)
    if not found or _SURROGATES.search(text):
        raise _invalid(text)
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme == "http":
        return _web("http", rest, text=text)
    if scheme == "https":
        return _web("https", rest, text=text)
    if scheme == "file":
        path, tail = _cut(rest, _PATH_END)
        file = check_read(_file_path(path), cwd=cwd, roots=roots)
        return NavUrl(f"file://{quote(file.real)}{tail}", "", "file", seal=_SEAL)
    if text.lower() == "about:blank":
        return NavUrl("about:blank", "", "about", seal=_SEAL)
    raise _wrong_scheme(scheme, rest, text=text)


async def check_foreign(raw: str, resolve: Resolver | None = None) -> NavUrl:
    """Admit a web address that a page or a server gave; a refusal quotes it as theirs."""
    hint = "give an http or https address of your own choice"
    if not _OF_THE_WEB.match(raw):
        message = "The page or the server names an address that is not of the web."
        raise BrowseError(Code.URL_REFUSED, message, hint=hint, page=shown(raw))
    try:
        url = check_url(raw, cwd="/", roots=Roots(()))
        await check_host(url, resolve or system_resolver)
    except BrowseError as exc:
        message = "The page or the server names an address that is refused."
        raise BrowseError(exc.code, message, hint=hint, page=exc.message) from exc
    return url


async def check_host(url: NavUrl, resolve: Resolver) -> None:
    """Refuse a host name that leads to a metadata address; a name that leads nowhere may pass."""
    if not url.host or _is_local(url.host):
        return
    addresses: list[str] = []
    # Silence is right: a name that cannot be resolved is the browser's to report.
    with suppress(OSError):
        addresses = await resolve(url.host)
    if any(is_refused(address) for address in addresses):
        reason = "resolves to a cloud metadata address. Possible DNS rebinding attack."
        hint = f"Do not trust this name; open another address: {_EXAMPLE}"
        raise BrowseError(Code.URL_REFUSED, f"Blocked: {url.host} {reason}", hint=hint)


def is_refused(host: str) -> bool:
    """Tell whether nothing may be sent to a host, spelled as an address or by a known name."""
    bare = host.removesuffix(".").lower()
    return bare in _NAMES or _is_metadata(_literal(bare))


def normal_host(raw: str) -> str:
    """Spell a host, an address of either family included, as browsers do; else a ValueError."""
    bare = raw.removeprefix("[").removesuffix("]")
    return str(IPv6Address(bare)) if ":" in bare and "%" not in bare else _host_name(raw)


def host_of(url: str) -> str:
    """Give the host of an address that a browser has spelled, without brackets and final dot."""
    try:
        return (urlsplit(url).hostname or "").removesuffix(".")
    except ValueError:
        return ""


async def system_resolver(host: str) -> list[str]:
    """Ask the system, once per family, so that a slow answer for one cannot hide the other."""
    families = (socket.AF_INET, socket.AF_INET6)
    answers = await asyncio.gather(*(_look_up(host, family) for family in families))
    return [address for answer in answers for address in answer]


async def _look_up(host: str, family: socket.AddressFamily) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_DNS_SECONDS):
            rows = await loop.getaddrinfo(host, None, family=family, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):  # UnicodeError: a label longer than DNS allows
        return []
    return [str(row[4][0]) for row in rows]


def _web(scheme: Literal["http", "https"], rest: str, *, text: str) -> NavUrl:
    authority, tail = _cut(rest.lstrip("/\\"), _AUTHORITY_END)
    userinfo, at, place = authority.rpartition("@")
    try:
        host, port = _host_and_port(place)
    except ValueError:
        # The cause quotes the address, and a log that prints causes would print the login.
        raise _invalid(text) from None
    bare = host.removesuffix(".")
    if is_refused(bare):
        message = f"Blocked: {bare} is a cloud metadata endpoint. Access is denied for security."
        hint = f"It hands out machine credentials and stays closed; open another: {_EXAMPLE}"
        raise BrowseError(Code.URL_REFUSED, message, hint=hint)
    shape = f"[{host}]" if ":" in host else host
    colon = ":" + port if port and port != _PORTS[scheme] else ""
    path, tail = _cut(tail, _PATH_END)
    path = path.replace("\\", "/") or "/"
    login = userinfo.replace("@", "%40") + at
    return NavUrl(f"{scheme}://{login}{shape}{colon}{path}{tail}", bare, scheme, seal=_SEAL)


def _host_and_port(place: str) -> tuple[str, str]:
    found = _HOST_PORT.fullmatch(place)
    if not found:
        raise ValueError(place)
    host, port = found[1], found[2] or ""
    port = port.lstrip("0") or port[:1]
    if len(port) > 5 or int(port or "0") > 65_535:
        raise ValueError(port)
    if not host.startswith("["):
        return _host_name(host), port
    if "%" in host:
        raise ValueError(host)
    return str(IPv6Address(host[1:-1])), port


def _host_name(raw: str) -> str:
    """Spell a host the way a browser looks it up: dotted IPv4 or a lower-case ASCII name.

    A label that stays outside ASCII leaves in its xn-- form: the browser only checks that form,
    so it cannot see an address where this function saw a name.
    """
    name = normalize("NFKC", _INVISIBLE.sub("", unquote(raw)))
    # Not casefold(), which makes fass.de of faß.de; letter by letter, or a last Σ becomes ς.
    name = normalize("NFKC", "".join(map(str.lower, name))).replace("\u3002", ".")
    labels = name.removesuffix(".").split(".")
    hollow = any(label.startswith("xn--") and label.endswith("-") for label in labels)
    if _NOT_IN_HOST.search(name) or "" in labels or hollow or len(name) > HOST_CHARS:
        raise ValueError(name)
    if _NUMERIC.fullmatch(labels[-1]):
        return str(_ipv4(labels))
    coded = (one if one.isascii() else f"xn--{one.encode('punycode').decode()}" for one in labels)
    host = ".".join(coded) + name[len(name.removesuffix(".")) :]
    if len(host) > HOST_CHARS:
        raise ValueError(host)
    return host


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


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_metadata(address: IPv4Address | IPv6Address | None) -> bool:
    if address is None:
        return False
    carried = [
        IPv4Address(int(address) >> shift & 0xFFFF_FFFF)
        for carrier, shift in _CARRIERS
        if address in carrier
    ]
    return any(one in network for one in (address, *carried) for network in _NETWORKS)


def _is_local(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost") or _literal(host) is not None


def _file_path(where: str) -> str:
    slashes = len(where) - len(where.lstrip("/\\"))
    path = where.replace("\\", "/")
    if slashes == 2:
        path = _from_segment(where[2:])
    elif slashes:
        path = "/" + path.lstrip("/")
    elif path:
        raise Usage("Invalid file URL: slashes must follow file:", hint=_FILE_HINT)
    if path in _NO_FILE:
        raise Usage(_NO_FILE[path], hint=_FILE_HINT)
    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError as exc:
        message = f"Invalid file URL: {shown(path)} is not UTF-8 once decoded"
        raise Usage(message, hint=_FILE_HINT) from exc


def _from_segment(where: str) -> str:
    """Read `seg/rest` after `file://`: this machine, a folder to start from, or a foreign host."""
    segment, slash, below = where.partition("/")
    below = below.replace("\\", "/")
    if segment.lower() == "localhost":
        return "/" + below.lstrip("/")
    if segment in (".", "~"):
        return f"{segment}/{below}"
    if set(segment) & set(".:\\%[@"):
        message = f"Unsupported file URL host: {_LOGIN if '@' in where else shown(segment)}"
        raise BrowseError(Code.URL_REFUSED, message, hint=_FILE_HINT)
    return segment + slash + below


def _cut(text: str, stop: re.Pattern[str]) -> tuple[str, str]:
    found = stop.search(text)
    at = found.start() if found else len(text)
    return text[:at], text[at:]


def _invalid(text: str) -> Usage:
    path, tail = _cut(text, _PATH_END)
    said = shown(path) + (tail[:1] + "…" if tail else "")
    message = f"Invalid URL: {_LOGIN if '@' in text else said or '(empty)'}"
    return Usage(message, hint=f"Type: {_suggestion(text)}")


def _wrong_scheme(scheme: str, rest: str, *, text: str) -> BrowseError:
    if "@" in rest and scheme not in _SAYABLE:
        return _invalid(text)
    meant = _suggestion(text) if _LOOKS_LIKE_PORT.match(rest) else _EXAMPLE
    message = f'Blocked: scheme "{shown(scheme)}:" is not allowed. {_ALLOWED}'
    return BrowseError(Code.URL_REFUSED, message, hint=f"Type: {meant}")


def _suggestion(text: str) -> str:
    """Guess the command that was meant, never repeating a login or a query."""
    if "@" in text:
        return _EXAMPLE
    guess = _cut(text, _PATH_END)[0]
    if re.match(r"[.~]/|/[^/\\]", guess):
        return f"browse goto file://{shown(guess)}"
    guess = guess.lstrip("/\\")
    try:
        host = _host_and_port(_cut(guess, _AUTHORITY_END)[0])[0]
    except ValueError:
        return _EXAMPLE
    return f"browse goto {'http' if _is_local(host) else 'https'}://{shown(guess)}"
