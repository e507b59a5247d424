"""Where a request comes from: a program, a page of ours, our extension, or some other page."""

from enum import Flag, auto

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import Scope

from browse.core.errors import BrowseError, Code
from browse.core.extension_id import ORIGIN as EXTENSION_ORIGIN

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_KEY = "browse.source"


class Sources(Flag):
    """Which pages may use an endpoint. Programs, which are no pages, always may."""

    PROGRAMS = 0
    OWN_PAGES = auto()
    EXTENSION = auto()


def note_source(scope: Scope) -> None:
    """Find out where a request comes from, and raise if no endpoint is for such a source."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    name, _, port = host.rpartition(":")
    # Any port: behind `ssh -L` it is the one at the person's end. A name stops DNS rebinding.
    if name.lower() not in LOOPBACK_NAMES or not port.isdecimal():
        raise foreign("the Host header is not a loopback address with a port")
    scope[_KEY] = _source(headers, host)


def _source(headers: Headers, host: str) -> Sources:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    if origin is None and site == "none":
        return Sources.PROGRAMS
    if origin == EXTENSION_ORIGIN:
        return Sources.EXTENSION
    if origin in (None, f"http://{host}") and site in ("none", "same-origin"):
        return Sources.OWN_PAGES
    raise foreign("it was sent by a web page")


def require_source(connection: HTTPConnection, allowed: Sources) -> None:
    """Raise if a page sent this request that may not use the endpoint."""
    if connection.scope.get(_KEY, Sources.PROGRAMS) not in allowed:
        raise foreign("it was sent by a web page")


def is_from_extension(connection: HTTPConnection) -> bool:
    """Check whether our extension may have sent this; it sends no Origin when it only reads."""
    source = connection.scope.get(_KEY)
    reads = connection.scope.get("method") == "GET" and source is Sources.PROGRAMS
    return source is Sources.EXTENSION or reads


def foreign(reason: str) -> BrowseError:
    """Build the error for a request from a source that may not send it."""
    return BrowseError(
        Code.FOREIGN_ORIGIN,
        f"Refused: {reason}.",
        hint="use the `browse` command, or call http://127.0.0.1:<port>",
    )
