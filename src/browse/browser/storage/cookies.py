"""The browser's cookies: read, set, imported; and which domains were imported.

Imported cookies are somebody's logins. While there are any, scripts of the caller's run on pages of
those domains only, so that a page elsewhere cannot talk an agent into using them.
"""

from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Cookie

from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.registry.results import inline_url

NEUTRAL = ("about:", "data:")


class Imported:
    """The domains whose cookies came from a file."""

    def __init__(self) -> None:
        self.domains: set[str] = set()

    def check(self, url: str) -> None:
        """Refuse a caller's script on a page of another domain."""
        host = host_of(url)
        if not self.domains or url.startswith(NEUTRAL):
            return
        if any(covers(domain, host) for domain in self.domains):
            return
        known = ", ".join(sorted(self.domains))
        raise BrowseError(
            Code.SCRIPT_REFUSED,
            f"JS execution blocked: current page ({inline_url(host) or 'without a host'}) does not "
            f"match any cookie-imported domain. Imported cookies for: {known}.",
            hint="go to one of these sites first, or `browse restart` to forget the cookies",
        )


def host_of(url: str) -> str:
    """Tell the host of an address; "" where there is none."""
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def covers(domain: str, host: str) -> bool:
    """Tell whether cookies of a domain are sent to a host: the same, or one below it."""
    bare = domain.removeprefix(".").lower()
    # A single word is a whole top-level domain, unless it is the very host (localhost).
    return host == bare or ("." in bare and host.endswith(f".{bare}"))


def required_host(tab: Tab) -> str:
    """Tell the host that cookies without a domain are for."""
    if host := host_of(tab.url):
        return host
    raise BrowseError(
        Code.USAGE,
        "The current page has no host that a cookie could be for.",
        hint="go to the site first: `browse goto <url>`",
    )


async def read(context: BrowserContext, url: str | None = None) -> list[Cookie]:
    """List the cookies: all, or those that are sent to an address."""
    with translated("reading the cookies"):
        return await context.cookies([url] if url else None)


async def put(tab: Tab, cookies: list[dict[str, Any]]) -> None:
    """Set cookies, all of them or none."""
    context = tab.page.context
    before = await read(context)
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
