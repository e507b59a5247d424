"""Cookies in a file: JSON of extensions and drivers, Netscape's `cookies.txt`, a curl command."""

import itertools
import re
import shlex
from collections.abc import Iterator

import msgspec

from browse.browser.storage.stored_cookie import SameSite, StoredCookie
from browse.guard.hosts import host_of, normal_host

# Chromium's extension API and everybody else spell it differently.
SAME_SITE: dict[str, SameSite] = {
    "strict": "Strict",
    "lax": "Lax",
    "none": "None",
    "no_restriction": "None",
}
# Times above this, which is the year 5138, count milliseconds.
_MILLISECONDS = 1e11
_HTTP_ONLY = "#HttpOnly_"
_NETSCAPE_FIELDS = 7
# Options of curl that have no value behind them are followed by nothing that we look for.
_CURL_COOKIE = ("-b", "--cookie")
_CURL_HEADER = ("-H", "--header")
# What the developer tools write for bash where a value has a quote or a line break in it.
_ANSI_QUOTED = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class Unusable(ValueError):
    """A file that is not one of cookies; the text says why, and quotes nothing of it."""


class _Partition(msgspec.Struct, rename="camel"):
    top_level_site: str
    has_cross_site_ancestor: bool = True


class _Row(msgspec.Struct, rename="camel"):
    """A cookie in JSON; extensions write `expirationDate` for `expires`, and `hostOnly`."""

    name: str
    value: str
    domain: str | None = None
    path: str | None = None
    expires: float | None = None
    expiration_date: float | None = None
    host_only: bool | None = None
    session: bool = False
    http_only: bool = False
    secure: bool = False
    same_site: str | None = None
    partition_key: str | _Partition | None = None


class _State(msgspec.Struct):
    """The cookies of a saved state."""

    cookies: list[_Row]


def parse(raw: bytes, host: str) -> list[StoredCookie]:
    """Read the cookies of a file; those without a domain are for this host. Raise `Unusable`."""
    try:
        text = raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise Unusable("it is not UTF-8") from None
    if text.startswith(("[", "{")):
        return [_from_json(row, host) for row in _json(text)]
    if re.match(r"\$?\s*curl\s", text):
        return list(_from_curl(text.removeprefix("$")))
    return list(_from_netscape(text))


def _json(text: str) -> list[_Row]:
    try:
        if text.startswith("{"):
            return msgspec.json.decode(text, type=_State).cookies
        return msgspec.json.decode(text, type=list[_Row])
    except msgspec.DecodeError as exc:
        raise Unusable(str(exc)) from exc


def _from_json(row: _Row, host: str) -> StoredCookie:
    expires = row.expires if row.expires is not None else row.expiration_date
    key = row.partition_key
    partition, cross = (key, True) if isinstance(key, str) else ("", False)
    if isinstance(key, _Partition):
        partition, cross = key.top_level_site, key.has_cross_site_ancestor
    return StoredCookie(
        name=row.name,
        value=row.value,
        domain=_domain(row.domain or host, row.host_only),
        path=row.path or "/",
        expires=None if row.session else _moment(expires),
        secure=row.secure,
        http_only=row.http_only,
        same_site=SAME_SITE.get((row.same_site or "").lower(), ""),
        partition=partition,
        cross_site=cross,
    )


def _from_netscape(text: str) -> Iterator[StoredCookie]:
    rows = 0
    for number, line in enumerate(text.splitlines(), 1):
        http_only = line.startswith(_HTTP_ONLY)
        if not line.strip() or (line.startswith("#") and not http_only):
            continue
        fields = line.removeprefix(_HTTP_ONLY).split("\t")
        fields += [""] * (len(fields) == _NETSCAPE_FIELDS - 1)  # an empty value, trimmed
        if len(fields) != _NETSCAPE_FIELDS:
            raise Unusable(f"line {number} has {len(fields)} fields between tabs, not 7")
        domain, below, path, secure, expires, name, value = fields
        try:
            moment = _moment(float(expires or 0) or None)
        except ValueError:
            raise Unusable(f"line {number} has no number in its fifth field") from None
        rows += 1
        yield StoredCookie(
            name=name,
            value=value,
            domain=_domain(domain, below.upper() != "TRUE"),
            path=path or "/",
            expires=moment,
            secure=secure.upper() == "TRUE",
            http_only=http_only,
        )
    if not rows:
        raise Unusable("it has no cookies in it")


def _from_curl(text: str) -> Iterator[StoredCookie]:
    """Read the cookies that a curl command sends: all we know is that its host gets them."""
    words = _shell_words(text)
    url = next((word for word in words if host_of(word)), "")
    pairs = list(_curl_pairs(words))
    if not url or not pairs:
        raise Unusable(f"the curl command has no {'cookies' if url else 'http address'}")
    for pair in pairs:
        name, equals, value = pair.strip().partition("=")
        if pair.strip():
            yield StoredCookie(
                name=name if equals else "",
                value=value if equals else name,
                domain=host_of(url),
                secure=url.lower().startswith("https:"),
            )


def _curl_pairs(words: list[str]) -> Iterator[str]:
    for option, word in itertools.pairwise(words):
        header, colon, value = word.partition(":")
        if option in _CURL_HEADER and colon and header.strip().lower() == "cookie":
            yield from value.split(";")
        elif option in _CURL_COOKIE:
            if "=" not in word:
                raise Unusable(f"{option} of the curl command names a file; import that file")
            yield from word.split(";")


def _shell_words(text: str) -> list[str]:
    plain = _ANSI_QUOTED.sub(lambda found: shlex.quote(_unescaped(found[1])), text)
    try:
        return shlex.split(plain.replace("\\\r\n", " ").replace("\\\n", " "))
    except ValueError:
        raise Unusable("a quote of the curl command is not closed") from None


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found[1]
        return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)

    return _ESCAPED.sub(one, text)


def _domain(raw: str, host_only: bool | None) -> str:
    """Spell a domain with its dot if subdomains count; what is no domain Chromium will refuse."""
    bare = raw.strip().removeprefix(".")
    try:
        host = normal_host(bare)
    except ValueError:
        host = bare.lower()
    dot = raw.strip().startswith(".") if host_only is None else not host_only
    return f".{host}" if dot else host


def _moment(expires: float | None) -> float | None:
    if expires is None or expires < 0:
        return None
    return expires / 1000 if expires > _MILLISECONDS else expires
