"""Which addresses the browser may be sent to.

An address is taken apart the way browsers do it (`hosts.py`) and put together again from the
checked parts: what was checked is what the browser gets.
Loopback and private networks are allowed on purpose, for local servers. Redirects, sub-resources
and later answers of the resolver are checked where connections are made
(`browser/network/socks_proxy.py`).
"""

import re
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal
from urllib.parse import quote, unquote

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import Roots, check_read
from browse.guard.hosts import PORTS, SCHEME, authority, cleaned
from browse.guard.path_errors import shown
from browse.guard.resolver import Resolver, system_resolver

_SEAL = object()

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

_SURROGATES = re.compile("[\ud800-\udfff]")
_PATH_END = re.compile(r"[?#]")
_LOOKS_LIKE_PORT = re.compile(r"[0-9]{1,5}(?:[/\\?#]|$)")
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
    brackets and no final dot, and is empty for files and about:blank. `roots` has the folders whose
    files the page may load, if it is a file itself.
    """

    text: str = field(repr=False)
    host: str
    scheme: Literal["http", "https", "file", "about"]
    seal: InitVar[object]
    roots: Roots | None = None

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("a NavUrl is made by check_url only")

    def __str__(self) -> str:
        return _USERINFO.sub(r"\1", self.text)


def check_url(raw: str, *, cwd: str, roots: Roots) -> NavUrl:
    """Admit a web address, a file inside the roots, or about:blank; refuse everything else."""
    text = cleaned(raw)
    found = SCHEME.match(text)
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
        return NavUrl(f"file://{quote(file.real)}{tail}", "", "file", seal=_SEAL, roots=roots)
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


def _web(scheme: Literal["http", "https"], rest: str, *, text: str) -> NavUrl:
    try:
        parts = authority(rest)
    except ValueError:
        # The cause quotes the address, and a log that prints causes would print the login.
        raise _invalid(text) from None
    bare = parts.host.removesuffix(".")
    if is_refused(bare):
        message = f"Blocked: {bare} is a cloud metadata endpoint. Access is denied for security."
        hint = f"It hands out machine credentials and stays closed; open another: {_EXAMPLE}"
        raise BrowseError(Code.URL_REFUSED, message, hint=hint)
    shape = f"[{parts.host}]" if ":" in parts.host else parts.host
    colon = ":" + parts.port if parts.port and parts.port != PORTS[scheme] else ""
    path, tail = _cut(parts.tail, _PATH_END)
    path = path.replace("\\", "/") or "/"
    login = parts.login[:-1].replace("@", "%40") + parts.login[-1:]
    return NavUrl(f"{scheme}://{login}{shape}{colon}{path}{tail}", bare, scheme, seal=_SEAL)


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
        host = authority(guess).host
    except ValueError:
        return _EXAMPLE
    return f"browse goto {'http' if _is_local(host) else 'https'}://{shown(guess)}"
