"""The navigation whose answer an action did not wait for, and waiting for it later."""

from weakref import WeakKeyDictionary

from playwright.async_api import Page

from browse.browser.actions.effects import ActionEffects
from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

# The document from which a page was going away when the reply to an action left.
_LEAVING: WeakKeyDictionary[Page, int] = WeakKeyDictionary()


def note_pending(tab: Tab, seen: ActionEffects) -> None:
    """Remember that an action has sent for a new document that has not come."""
    if seen.is_loading:
        _LEAVING[tab.page] = tab.refs.doc


async def wait_for_navigation(tab: Tab, limit_ms: int) -> str:
    """Wait for the navigation that an action has begun, else for the next one."""
    page = tab.page
    before = _LEAVING.pop(page, tab.refs.doc)
    try:
        with translated("waiting for a navigation"):
            if tab.refs.doc == before:
                await page.wait_for_event(
                    "framenavigated", lambda _: tab.refs.doc != before, timeout=limit_ms
                )
            await page.wait_for_load_state("domcontentloaded", timeout=limit_ms)
    except BrowseError as exc:
        if exc.code is not Code.TIMEOUT:
            raise
        _LEAVING[page] = before
        raise BrowseError(
            Code.TIMEOUT,
            f"Waited {limit_ms} ms for a navigation: the tab is where it was.",
            hint="wait longer with --timeout <ms>; `browse network` lists what is open",
        ) from exc
    return "Navigated"
