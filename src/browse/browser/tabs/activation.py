"""Tabs that come to the front by our doing, to tell them from those that a person turns to."""

from weakref import WeakKeyDictionary, WeakSet

from playwright.async_api import BrowserContext, Page

from browse.core.clock import elapsed, wall_ms

# How long after our doing the report of it may come.
LATE_S = 3.0
_FRONT: WeakKeyDictionary[BrowserContext, Page] = WeakKeyDictionary()
_SHOWN: WeakSet[Page] = WeakSet()
# When we brought a page to the front, or closed the one in front of a context.
_EXPECTED: WeakKeyDictionary[Page | BrowserContext, float] = WeakKeyDictionary()
# When we last began to bring a page of a window to the front, by the clock of its browser.
_DONE: WeakKeyDictionary[BrowserContext, float] = WeakKeyDictionary()


def is_in_front(page: Page) -> None:
    """Note which page a window shows first; nothing reports that one."""
    _FRONT[page.context] = page
    _SHOWN.add(page)


def shows(page: Page) -> bool:
    """Check whether a page is the one that its window shows."""
    return _FRONT.get(page.context) is page


def expect(page: Page, since_ms: float | None = None) -> None:
    """Note that a page comes to the front because of us, unless it is there already.

    `since_ms`: when we began to bring it there, if not just now.
    """
    if not shows(page):
        _EXPECTED[page] = elapsed()
        _DONE[page.context] = since_ms or wall_ms()
        is_in_front(page)


def is_outdated(context: BrowserContext, seen_ms: float) -> bool:
    """Check whether what was in front of a window at a moment was so before our last doing."""
    return seen_ms < _DONE.get(context, 0)


def expect_another(page: Page) -> None:
    """Note that we close a page: if it is in front, another comes there."""
    if shows(page):
        _EXPECTED[page.context] = elapsed()


def is_first(page: Page) -> bool:
    """Check whether a page has not been in front yet, like a popup that opens."""
    return page not in _SHOWN


def was_expected(page: Page) -> bool:
    """Check, once, whether a page that came to the front did so because of us."""
    is_in_front(page)
    noted = [_EXPECTED.pop(page, None), _EXPECTED.pop(page.context, None)]
    return any(since is not None and elapsed() - since < LATE_S for since in noted)
