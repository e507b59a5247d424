"""Which host a note belongs to: exactly this one, without port and `www.`, and fit as a file name.

`docs.example.com` and `example.com` are two hosts. Names come out as browsers look them up
(lower case, IDNA), so that every spelling finds the same note.
"""

from urllib.parse import quote, unquote

from browse.core.errors import Usage
from browse.guard.hosts import host_of, normal_host

MAX_FILE_CHARS = 200


def note_host(raw: str) -> str:
    """Read a host as a person types it, an address of the web included."""
    try:
        host = host_of(raw) if "://" in raw else normal_host(_without_port(raw.strip()))
        host = _bare(host)
    except ValueError:
        host = ""
    if not host or len(quote(host, safe="")) > MAX_FILE_CHARS:
        raise Usage(
            f"{raw[:40]!r} is not a host that notes can be kept for",
            hint="give a name such as example.com, of up to 200 characters",
        )
    return host


def page_host(url: str) -> str:
    """Return the host of a page whose address a browser has spelled; "" where there is none."""
    if not url.startswith(("http://", "https://")):
        return ""
    host = _bare(host_of(url))
    return host if len(quote(host, safe="")) <= MAX_FILE_CHARS else ""


def file_stem(host: str) -> str:
    """Spell a host as a file name; what has a meaning in paths is coded away."""
    return quote(host, safe="")


def from_stem(stem: str) -> str:
    """Return the host of a file name; "" for a name that is none of ours."""
    host = unquote(stem)
    try:
        return host if stem == file_stem(host) and note_host(host) == host else ""
    except Usage:
        return ""


def _bare(host: str) -> str:
    name = host.removesuffix(".")
    return name.removeprefix("www.") if name.count(".") > 1 else name


def _without_port(place: str) -> str:
    name, colon, port = place.rpartition(":")
    # More than one colon is an IPv6 address, unless brackets show where that ends.
    if not colon or not port.isdecimal() or (":" in name and not name.endswith("]")):
        return place
    return name
