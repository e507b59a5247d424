"""Find the elements that listen for clicks or for what is dropped; only CDP can list them."""

import asyncio
from typing import Any

import msgspec
from playwright.async_api import CDPSession

from browse.browser.driver_errors import translated
from browse.browser.page.engine_source import expression
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

CLICK_EVENTS = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart"}
)
DROP_EVENTS = frozenset({"drop", "dragover", "dragenter"})
# Each costs a round trip. A page with more listeners marks them in other ways too (cursor).
MAX_ELEMENTS = 500
ASK_S = 5.0
_GROUP = "browse-listeners"
_PATHS = expression("standalone/paths_of_nodes")
NodePath = list[int]


class HeardElements(msgspec.Struct, frozen=True):
    """Paths of the elements that listen: for clicks, and for what is dropped on them."""

    pressed: tuple[NodePath, ...] = ()
    dropped: tuple[NodePath, ...] = ()


async def heard_elements(tab: Tab) -> HeardElements:
    """List the elements of the main document, shadow roots included, that listen.

    Returned as paths, because elements cannot pass from one isolated world to another.
    """
    session = await tab.protocol()
    try:
        with translated("asking for listeners"):
            async with asyncio.timeout(ASK_S):
                return await _ask(session)
    except TimeoutError:
        return HeardElements()  # other signs of clickable elements remain
    finally:
        await _release(session)


async def _ask(session: CDPSession) -> HeardElements:
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
    pressed = _nodes(found["listeners"], CLICK_EVENTS)
    dropped = _nodes(found["listeners"], DROP_EVENTS)
    nodes = list(dict.fromkeys((*pressed, *dropped)))[:MAX_ELEMENTS]
    objects = await asyncio.gather(*(_resolve(session, node, context) for node in nodes))
    answer = await session.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": _PATHS,
            "executionContextId": context,
            "arguments": objects,
            "returnByValue": True,
        },
    )
    paths = dict(zip(nodes, answer["result"].get("value", []), strict=False))
    return HeardElements(
        tuple(path for node in pressed if (path := paths.get(node))),
        tuple(path for node in dropped if (path := paths.get(node))),
    )


def _nodes(listeners: list[dict[str, Any]], events: frozenset[str]) -> dict[int, None]:
    return dict.fromkeys(it["backendNodeId"] for it in listeners if it["type"] in events)


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
