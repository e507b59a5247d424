"""Read and change localStorage and sessionStorage of the current document."""

from typing import Literal

from browse.browser.page.scripts import READ_STORAGE, WRITE_STORAGE
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

StorageKind = Literal["localStorage", "sessionStorage"]
KINDS: tuple[StorageKind, ...] = ("localStorage", "sessionStorage")


async def read_storage(tab: Tab) -> dict[str, dict[str, str]]:
    """Return everything in localStorage and sessionStorage."""
    found = await READ_STORAGE(tab.frame)
    if found is None:
        raise _no_storage()
    return found


async def change_storage(tab: Tab, kind: StorageKind, key: str | None, value: str | None) -> None:
    """Set a key, remove it (no value), or remove all keys (no key)."""
    problem = await WRITE_STORAGE(tab.frame, kind=kind, key=key, value=value)
    if problem == "full":
        raise BrowseError(
            Code.STORAGE,
            f"{kind} is full; nothing was changed.",
            hint="make room with `browse storage rm <key>` or `browse storage clear`",
        )
    if problem:
        raise _no_storage()


def _no_storage() -> BrowseError:
    return BrowseError(
        Code.STORAGE,
        "This page has no storage: it belongs to no site (about:blank, data:) or is sandboxed.",
        hint="go to a site first: `browse goto <url>`",
    )
