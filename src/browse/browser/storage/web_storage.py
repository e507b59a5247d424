"""A page's own storage: localStorage and sessionStorage of the document that commands act in."""

from typing import Literal

from browse.browser.page.scripts import READ_STORAGE, WRITE_STORAGE
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

Kind = Literal["localStorage", "sessionStorage"]
KINDS: tuple[Kind, ...] = ("localStorage", "sessionStorage")


async def read(tab: Tab) -> dict[str, dict[str, str]]:
    """Read both kinds, whole."""
    found = await READ_STORAGE(tab.frame)
    if found is None:
        raise _none()
    return found


async def change(tab: Tab, kind: Kind, key: str | None, value: str | None) -> None:
    """Set a key, remove it (no value), or remove all (no key)."""
    problem = await WRITE_STORAGE(tab.frame, kind=kind, key=key, value=value)
    if problem == "full":
        raise BrowseError(
            Code.STORAGE,
            f"{kind} is full; nothing was changed.",
            hint="make room with `browse storage rm <key>` or `browse storage clear`",
        )
    if problem:
        raise _none()


def _none() -> BrowseError:
    return BrowseError(
        Code.STORAGE,
        "This page has no storage: it belongs to no site (about:blank, data:) or is sandboxed.",
        hint="go to a site first: `browse goto <url>`",
    )
