"""CDP sessions, kept for as long as their page or frame exists.

When any CDP session of a page ends, Chromium resets the emulated media type and the offline mode,
whichever session had set them. So no session is closed. Code that enables something in a session
disables it again.
"""

from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Frame, Page

_KEPT: WeakKeyDictionary[Any, CDPSession] = WeakKeyDictionary()


async def session_of(place: Page | Frame) -> CDPSession:
    """Return the CDP session of a page, or of a frame that has its own process."""
    if found := _KEPT.get(place):
        return found
    page = place.page if isinstance(place, Frame) else place
    session = _KEPT[place] = await page.context.new_cdp_session(place)

    def on_close(_: CDPSession) -> None:
        _KEPT.pop(place, None)

    session.on("close", on_close)
    return session
