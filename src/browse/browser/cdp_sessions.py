"""CDP sessions, kept for as long as their page or frame exists.

When any CDP session of a page ends, Chromium resets the emulated media type and the offline mode,
whichever session had set them. So no session is closed. Code that enables something in a session
disables it again.

When a page goes on in another process, as between sites in a window, Chromium restores what each
session has set, one after the other. Some settings are restored by a session that has not set them,
too: to nothing. So these are set in every session of a page.
"""

import asyncio
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

Params = dict[str, Any]
# What a session that has not set it undoes in a new process.
UNDONE_BY_OTHERS = (
    "Emulation.setUserAgentOverride",  # `navigator.platform`
    "Emulation.setEmulatedMedia",
    "Emulation.setCPUThrottlingRate",
)
_KEPT: WeakKeyDictionary[Any, CDPSession] = WeakKeyDictionary()
_OPEN: WeakKeyDictionary[Page, set[CDPSession]] = WeakKeyDictionary()
_SET: WeakKeyDictionary[Page, dict[str, Params]] = WeakKeyDictionary()


async def session_of(place: Page | Frame) -> CDPSession:
    """Return the CDP session of a page, or of a frame that has its own process."""
    if found := _KEPT.get(place):
        return found
    session = _KEPT[place] = await new_session(place)

    def on_close(_: CDPSession) -> None:
        _KEPT.pop(place, None)

    session.on("close", on_close)
    return session


async def new_session(place: Page | Frame) -> CDPSession:
    """Open another CDP session of a page or frame, for one that needs its own."""
    page = place.page if isinstance(place, Frame) else place
    session = await page.context.new_cdp_session(place)
    sessions = _OPEN.setdefault(page, set())
    sessions.add(session)
    session.on("close", lambda _: sessions.discard(session))
    await asyncio.gather(*(_set(session, *it) for it in _SET.get(page, {}).items()))
    return session


async def set_in_others(page: Page, own: CDPSession, method: str, params: Params) -> None:
    """Set what one session has set in all others of the page, if they would undo it."""
    if method in UNDONE_BY_OTHERS:
        _SET.setdefault(page, {})[method] = params
        others = _OPEN.get(page, set()) - {own}
        await asyncio.gather(*(_set(it, method, params) for it in others))


async def _set(session: CDPSession, method: str, params: Params) -> None:
    with suppress(DriverError):  # its page or frame is gone
        await session.send(method, params)
