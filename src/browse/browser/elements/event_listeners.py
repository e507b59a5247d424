"""Find the elements with click listeners, which only CDP can list."""

import asyncio
from typing import Any

from playwright.async_api import CDPSession

from browse.browser.driver_errors import translated
from browse.browser.page.engine_source import expression
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

CLICK_EVENTS = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart"}
)
# Each costs a round trip. A page with more listeners marks them in other ways too (cursor).
MAX_ELEMENTS = 500
ASK_S = 5.0
_GROUP = "browse-listeners"
_PATHS = expression("standalone/paths_of_nodes")
NodePath = list[int]


async def listener_paths(tab: Tab) -> list[NodePath]:
    """List the elements of the main document, shadow roots included, with click listeners.

    Returned as paths, because elements cannot pass from one isolated world to another.
    """
    session = await tab.protocol()
    try:
        with translated("asking for listeners"):
            async with asyncio.timeout(ASK_S):
                return await _ask(session)
    except TimeoutError:
        return []  # other signs of clickable elements remain
    finally:
        await _release(session)


async def _ask(session: CDPSession) -> list[NodePath]:
    tree = await session.send("Page.getFrameTree")
    world = await session.send(
        "Page.createIsolatedWorld",
        {"frameId": tree["frameTree"]["frame"]["id"], "worldName": _GROUP},
    )
    context = world["executionContextId"]
    document = await session.send(
        "Runtime.evaluate", {"expression": "document", "contextId": context, "objectGroup": _GROUP}
    )
    found = await session.send(
        "DOMDebugger.getEventListeners",
        {"objectId": document["result"]["objectId"], "depth": -1, "pierce": True},
    )
    nodes = dict.fromkeys(
        it["backendNodeId"] for it in found["listeners"] if it["type"] in CLICK_EVENTS
    )
    objects = await asyncio.gather(
        *(_resolve(session, node, context) for node in list(nodes)[:MAX_ELEMENTS])
    )
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": _PATHS,
            "executionContextId": context,
            "arguments": objects,
            "returnByValue": True,
        },
    )
    return [path for path in answer["result"].get("value", []) if path]


async def _resolve(session: CDPSession, node: int, context: int) -> dict[str, Any]:
    found = await session.send(
        "DOM.resolveNode",
        {"backendNodeId": node, "executionContextId": context, "objectGroup": _GROUP},
    )
    return {"objectId": found["object"]["objectId"]}


async def _release(session: CDPSession) -> None:
    try:
        with translated("talking to the tab"):
            await session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
    except BrowseError:
        pass  # the page is gone, and its objects with it
