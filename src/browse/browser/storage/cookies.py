"""Read and set the browser's cookies, and remember the domains of imported ones.

Imported cookies are somebody's logins. While there are any, a caller's scripts run only on pages of
those domains, so that another page cannot talk an agent into using them.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import BrowserContext, Cookie

from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.core.files import write_private
from browse.guard.hosts import host_of
from browse.registry.results import inline_url

NOTE = "browse-imported.json"
NEUTRAL = ("about:", "data:")
_LONG_AGO = 1.0


class ImportedDomains:
    """The domains whose cookies were imported, from a file or from another browser."""

    def __init__(self, profile: str = "") -> None:
        """Begin with those of a profile: a folder that keeps cookies keeps their domains, too."""
        self._note = Path(profile).expanduser().absolute() / NOTE if profile else None
        self.domains: set[str] = _noted(self._note) if self._note else set()

    def add(self, hosts: Iterable[str]) -> set[str]:
        """Confine scripts to these domains and those of before; return which are new."""
        new = set(hosts) - self.domains
        self.domains |= new
        self._keep()
        return new

    def remove(self, hosts: Iterable[str]) -> None:
        """Forget domains that have no imported cookies any more."""
        self.domains -= set(hosts)
        self._keep()

    def _keep(self) -> None:
        if self._note and self._note.parent.is_dir():  # a window has a profile of its own
            write_private(self._note, msgspec.json.encode(sorted(self.domains)))

    def check(self, url: str) -> None:
        """Raise if a caller's script may not run on this page."""
        host = host_of(url)
        if not self.domains or url.startswith(NEUTRAL):
            return
        if any(domain_covers(domain, host) for domain in self.domains):
            return
        known = ", ".join(sorted(self.domains))
        raise BrowseError(
            Code.SCRIPT_REFUSED,
            f"JS execution blocked: current page ({inline_url(host) or 'without a host'}) does not "
            f"match any cookie-imported domain. Imported cookies for: {known}.",
            hint="go to one of these sites first, or `browse restart` to forget the cookies; "
            "where they are kept, use another profile or project folder",
        )


def _noted(file: Path) -> set[str]:
    try:
        return set(msgspec.json.decode(file.read_bytes(), type=list[str]))
    except (OSError, msgspec.DecodeError):  # nothing was imported into this profile
        return set()


def domain_covers(domain: str, host: str) -> bool:
    """Check whether cookies of a domain are sent to a host: the same, or a subdomain."""
    bare = domain.removeprefix(".").lower()
    # A single label is a top-level domain, unless it is exactly the host (localhost).
    return host == bare or ("." in bare and host.endswith(f".{bare}"))


def require_host(tab: Tab) -> str:
    """Return the host for cookies without a domain; raise if the page has none."""
    if host := host_of(tab.url):
        return host
    raise BrowseError(
        Code.USAGE,
        "The current page has no host to set a cookie for.",
        hint="go to the site first: `browse goto <url>`",
    )


async def read_cookies(context: BrowserContext, url: str | None = None) -> list[Cookie]:
    """List all cookies, or those that are sent to an address."""
    with translated("reading the cookies"):
        return await context.cookies([url] if url else None)


async def set_cookies(tab: Tab, cookies: list[dict[str, Any]]) -> None:
    """Set all cookies, or none if Chromium refuses one."""
    context = tab.page.context
    before = await read_cookies(context)
    try:
        with translated("setting the cookies"):
            await context.add_cookies(cookies)  # type: ignore[arg-type] # a TypedDict of the driver's
    except BrowseError as exc:
        await _restore(context, before, cookies)
        raise BrowseError(
            Code.COOKIE_REFUSED,
            "Chromium refused a cookie; none was set.",
            hint="a name or value may hold a character that cookies cannot, a domain may be a "
            "public suffix, or a `__Secure-`, `__Host-` or SameSite=None cookie needs https",
        ) from exc


async def remove_cookies(context: BrowserContext, rows: list[dict[str, Any]]) -> None:
    """Remove these cookies, and no others.

    They are set again as expired: the driver's own way removes all and puts the others back.
    """
    expired: list[Any] = [{**row, "expires": _LONG_AGO} for row in rows]
    with translated("removing the cookies"):
        await context.add_cookies(expired)


async def _restore(
    context: BrowserContext, before: list[Cookie], tried: list[dict[str, Any]]
) -> None:
    names = {cookie["name"] for cookie in tried}
    with translated("putting the cookies back"):
        for name in names:
            await context.clear_cookies(name=name)
        kept = [cookie for cookie in before if cookie.get("name") in names]
        if kept:
            await context.add_cookies(kept)  # type: ignore[arg-type] # what it gave, it takes
