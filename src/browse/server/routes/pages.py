"""The daemon's own pages: static files without a secret. A ticket opens what they show."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Surface
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources

WEB = Path(__file__).resolve().parents[2] / "web"
# The address of each page, and its file in `web`.
PAGES: dict[str, str] = {
    "/": "dashboard.html",
    "/cookie-picker": "cookie_picker.html",
    "/view": "view.html",
    "/welcome": "welcome.html",
}
# What the live view needs, which is all that the tunnel shows.
_REMOTE = (
    "base.css",
    "mark.svg",
    "session.js",
    "view.css",
    "view.js",
    "view_files.js",
    "view_input.js",
    "view_notes.js",
)
REMOTE: dict[str, str] = {
    "/view": "view.html",
    **{f"/assets/{name}": f"assets/{name}" for name in _REMOTE},
}
_ASSET = re.compile(r"[a-z0-9_]+\.(js|css|svg)")


class PageCode(msgspec.Struct, forbid_unknown_fields=True):
    """The one-time code from the address of a page."""

    code: str


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the pages, and of the exchange of a code for a ticket."""
    return [_exchange(services), *static(WEB, PAGES)]


def remote_endpoints(services: Services) -> list[Endpoint]:
    """Build those of the live view, for the tunnel."""
    return [_exchange(services), *_pages(WEB, REMOTE)]


def _exchange(services: Services) -> Endpoint:
    async def session(request: Request, caller: Caller) -> reply.Reply:
        """Exchange the one-time code of a page's address: `{code}` returns `{ticket, expires}`.

        A code works once, for five minutes. A ticket opens only what its page is for.
        """
        sent = body.decode(await body.read(request, body.SMALL), PageCode)
        found = services.access.tickets.exchange(
            sent.code, remote=caller.surface is not Surface.LOCAL
        )
        if found is None:
            raise BrowseError(
                Code.UNAUTHENTICATED,
                "This address was opened before, or it is older than five minutes.",
                hint="type the command again that printed it: it gives a new address",
            )
        end = datetime.now(UTC) + timedelta(seconds=found[0].life_s)
        return reply.facts({"ticket": found[1], "opens": found[0].label, "expires": stamp(end)})

    pages = Sources.OWN_PAGES | Sources.EXTENSION
    return Endpoint("POST", "/page-session", EndpointAccess.ANYONE, session, pages)


def static(folder: Path, pages: dict[str, str]) -> list[Endpoint]:
    """Build the endpoints that serve the files of a folder."""

    async def asset(request: Request, _: Caller) -> reply.Reply:
        """Fetch a script, a style or a picture of the daemon's pages."""
        name = request.path_params["name"]
        if not _ASSET.fullmatch(name):
            raise _missing()
        return await _file(folder / "assets" / name)

    anyone, own = EndpointAccess.ANYONE, Sources.OWN_PAGES
    return [*_pages(folder, pages), Endpoint("GET", "/assets/{name}", anyone, asset, own)]


def _pages(folder: Path, files: dict[str, str]) -> list[Endpoint]:
    async def page(request: Request, _: Caller) -> reply.Reply:
        """Show a page of the daemon. Without the code in its address it shows nothing."""
        return await _file(folder / files[request.url.path])

    own = Sources.OWN_PAGES
    return [Endpoint("GET", path, EndpointAccess.ANYONE, page, own) for path in files]


async def _file(path: Path) -> reply.Reply:
    try:
        return reply.page(await asyncio.to_thread(path.read_bytes), path.name)
    except FileNotFoundError:
        raise _missing() from None


def _missing() -> BrowseError:
    return BrowseError(Code.NOT_FOUND, "There is no such file.", hint="docs/http.md lists them")
