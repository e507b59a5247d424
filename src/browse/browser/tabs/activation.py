"""Tabs that come to the front by our doing, to tell them from those that a person turns to."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary, WeakSet

from playwright.async_api import BrowserContext, Page

from browse.core.clock import elapsed, wall_ms

# How long after we closed a page the report of the next one may come.
LATE_S = 3.0
_FRONT: WeakKeyDictionary[BrowserContext, Page] = WeakKeyDictionary()
_SHOWN: WeakSet[Page] = WeakSet()
# When we closed the page in front of a window.
_CLOSED: WeakKeyDictionary[BrowserContext, float] = WeakKeyDictionary()
# When we were done with bringing a page of a window to the front, by the clock of its browser.
_DONE: WeakKeyDictionary[BrowserContext, float] = WeakKeyDictionary()


def is_in_front(page: Page) -> None:
    """Note which page a window shows."""
    _FRONT[page.context] = page
    _SHOWN.add(page)


def shows(page: Page) -> bool:
    """Check whether a page is the one that its window shows."""
    return _FRONT.get(page.context) is page


@contextmanager
def by_us(context: BrowserContext) -> Iterator[None]:
    """Bring a page of a window to the front, or open one there."""
    _DONE[context] = math.inf
    try:
        yield
    finally:
        _DONE[context] = wall_ms()


def was_by_us(context: BrowserContext, seen_ms: float) -> bool:
    """Check whether what was in front of a window at a moment is our doing, or was before it.

    By the moment, not by the page: of several that came to the front, only the last may be told.
    """
    return seen_ms <= _DONE.get(context, 0)


def close(page: Page) -> None:
    """Note that we close a page: if it is in front, another comes there."""
    if shows(page):
        _CLOSED[page.context] = elapsed()


def is_first(page: Page) -> bool:
    """Check whether a page has not been in front yet, like a popup that opens."""
    return page not in _SHOWN


def follows_closed(context: BrowserContext) -> bool:
    """Check, once, whether a page came to the front because we closed the one that was there."""
    since = _CLOSED.pop(context, None)
    return since is not None and elapsed() - since < LATE_S
