"""Take a message from the person: what they wrote, the element that they pointed at, a picture."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from browse.auth.caller import ROOT
from browse.browser.elements.at_point import PointedElement, element_at
from browse.browser.tabs.tab import Tab
from browse.browser.visual.screenshots import Area, page_layout, take_screenshot
from browse.core.errors import BrowseError, Code
from browse.inbox.inbox import Inbox, checked
from browse.inbox.message import InboxMessage, PageFacts

log = logging.getLogger(__name__)
# How long a message waits for a command that uses the tab; it then has no ref.
BUSY_S = 3.0
# Around the element, so that the picture shows where it is.
MARGIN_PX = 24
LONGEST_PX = 1200


@asynccontextmanager
async def for_person(tab: Tab) -> AsyncIterator[None]:
    """Use a tab for the person, who does not wait long for the command that has it."""
    try:
        async with asyncio.timeout(BUSY_S) as limit, tab.lock.hold("a person's choice"):
            limit.reschedule(None)
            tab.refs.begin(ROOT.holder)
            yield
    except TimeoutError as exc:
        raise BrowseError(
            Code.TAB_BUSY,
            f"Tab {tab.id} is busy: {tab.lock.holder() or 'a command'}.",
            hint="try again when that command has ended",
        ) from exc


async def take(
    inbox: Inbox,
    tab: Tab,
    words: str,
    *,
    at: tuple[float, float] | None = None,
    area: Area | None = None,
) -> InboxMessage:
    """Put a message into the inbox; `at` and `area` are in CSS pixels from the window's corner.

    A page that cannot be asked, or shows nothing, does not keep the message from being stored.
    """
    text = checked(words)
    found = await _pointed(tab, at) if at else None
    shown = Area(*found.box) if found else area
    picture = await _picture(tab, shown)
    await tab.refresh_title()
    page = PageFacts(url=tab.url, title=tab.last_title)
    if found:
        page = PageFacts(page.url, page.title, found.role, found.name, found.selector)
    message = InboxMessage(
        "",
        page,
        text,
        tab=tab.id,
        ref=found.ref if found else "",
        doc=found.doc if found else 0,
        area=(shown.x, shown.y, shown.width, shown.height) if shown else None,
    )
    return await asyncio.to_thread(inbox.add, message, picture)


async def _pointed(tab: Tab, at: tuple[float, float]) -> PointedElement | None:
    try:
        async with for_person(tab):
            return await element_at(tab, *at)
    except BrowseError as exc:  # the message matters more than its ref
        log.warning("a message without a ref: %s %s", exc.message, exc.page)
        return None


async def _picture(tab: Tab, shown: Area | None) -> bytes:
    with suppress(BrowseError):  # the same
        area = None
        if shown:
            window = (await page_layout(tab)).window
            area = Area(
                window.x + shown.x - MARGIN_PX,
                window.y + shown.y - MARGIN_PX,
                shown.width + 2 * MARGIN_PX,
                shown.height + 2 * MARGIN_PX,
            ).within(window)
        return (await take_screenshot(tab, area=area, longest=LONGEST_PX)).data
    return b""
