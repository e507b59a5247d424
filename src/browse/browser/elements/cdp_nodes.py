"""Find the CDP object of an element, in whatever frame or shadow root it is."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
from playwright.async_api import CDPSession, ElementHandle, Frame
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import session_of
from browse.browser.driver_errors import acting, translated
from browse.browser.elements.element import ACTION_MS
from browse.browser.elements.target import FoundElement
from browse.browser.page import engine_source, scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

_GROUP = "browse-nodes"
_FIND = engine_source.expression("standalone/find_shared_element")


class CdpNode(msgspec.Struct, frozen=True):
    """An element in a CDP session."""

    session: CDPSession
    object_id: str


@asynccontextmanager
async def node_of(tab: Tab, target: FoundElement, *, named: str) -> AsyncIterator[CdpNode]:
    """Find the CDP object of exactly this element."""
    session, root = await _session_of(tab, target.frame)
    with acting("finding it", target=named):
        element = await target.place.element_handle(timeout=ACTION_MS)
    try:
        context = await _context_of(session, root, target.frame)
        yield CdpNode(session, await _find_in_context(session, context, element))
    finally:
        with suppress(DriverError):  # the tab is gone, and its objects with it
            await session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})


async def _session_of(tab: Tab, frame: Frame) -> tuple[CDPSession, Frame]:
    """Return the CDP session that a frame belongs to, and that session's top frame."""
    while frame.parent_frame is not None:
        try:
            return await session_of(frame), frame
        except DriverError:
            frame = frame.parent_frame  # only a frame in a separate process has a session
    return await tab.protocol(), frame


async def _context_of(session: CDPSession, root: Frame, frame: Frame) -> int:
    """Create an isolated world in a frame's document; return its context id."""
    with translated("looking for the frame"):
        if frame is root:
            tree = await session.send("Page.getFrameTree")
            frame_id = tree["frameTree"]["frame"]["id"]
        else:
            parent = frame.parent_frame or root
            host = await frame.frame_element()
            above = await _context_of(session, root, parent)
            found = await _find_in_context(session, above, host)
            described = await session.send("DOM.describeNode", {"objectId": found})
            frame_id = described["node"]["frameId"]
        made = await session.send(
            "Page.createIsolatedWorld", {"frameId": frame_id, "worldName": _GROUP}
        )
    return int(made["executionContextId"])


async def _find_in_context(session: CDPSession, context: int, element: ElementHandle) -> str:
    name = f"browse-{secrets.token_hex(8)}"
    await scripts.SHARE_ELEMENT(element, name=name, back=False)
    try:
        with translated("looking for the element"):
            answer: dict[str, Any] = await session.send(
                "Runtime.evaluate",
                {
                    "expression": f"({_FIND})({name!r})",
                    "contextId": context,
                    "objectGroup": _GROUP,
                },
            )
    finally:
        with suppress(BrowseError):  # the element is gone, and its mark with it
            await scripts.SHARE_ELEMENT(element, name=name, back=True)
    if "objectId" not in answer["result"]:
        raise BrowseError(
            Code.NO_MATCH,
            "The element is gone, or is in a closed shadow root.",
            hint="run `browse snapshot -i` to look again",
        )
    return str(answer["result"]["objectId"])
