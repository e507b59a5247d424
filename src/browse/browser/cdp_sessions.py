"""Sessions of the protocol that are kept.

When any session of a page ends, Chromium forgets which medium the page shall pretend to be shown on
and that it is offline, whoever had said so. A session that was opened therefore stays for as long
as its page or frame does; who enables something in it disables that again.
"""

from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Frame, Page

_KEPT: WeakKeyDictionary[Any, CDPSession] = WeakKeyDictionary()


async def session_of(place: Page | Frame) -> CDPSession:
    """Give the session of a page, or of a frame in a process of its own; others have none."""
    if found := _KEPT.get(place):
        return found
    page = place.page if isinstance(place, Frame) else place
    session = _KEPT[place] = await page.context.new_cdp_session(place)

    def on_close(_: CDPSession) -> None:
        _KEPT.pop(place, None)

    session.on("close", on_close)
    return session
