"""Custom elements that keep their shadow root or their role to themselves.

Scripts cannot see a closed root or what was set through `ElementInternals`. The protocol can, so it
is asked, and the driver's isolated world of the document is told (js/lib/closed_shadow.js).
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Frame
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import session_of
from browse.browser.driver_errors import translated
from browse.browser.page.scripts import expression
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
_TURNS: WeakKeyDictionary[CDPSession, asyncio.Lock] = WeakKeyDictionary()

ASK_S = 3.0
_ENABLED = ("Runtime", "Accessibility")
WORLD = "__playwright_utility_world"
_WAITING = expression("standalone/waiting_elements")
_KEEP_ROOT = expression("standalone/keep_closed_root")
_KEEP_INTERNALS = expression("standalone/keep_internals")
# States that are told as true or false; of the others only that they hold.
_EITHER = frozenset({"checked", "expanded", "pressed", "selected"})
_HOLDING = frozenset({"busy", "disabled", "invalid", "modal", "readonly", "required"})


async def introduce(frame: Frame) -> None:
    """Tell a document what the custom elements that wait in it keep to themselves, if they can."""
    try:
        with translated("asking about custom elements"):
            async with asyncio.timeout(ASK_S):
                session = await _attached(frame)
                # One by one: worlds are told only to who enables what was not enabled.
                async with _TURNS.setdefault(session, asyncio.Lock()):
                    try:
                        await _ask(session)
                    finally:
                        spawn(_leave(session), name="leave custom elements alone")
    except (BrowseError, TimeoutError):
        # They are then shown as far as scripts see them.
        log.info("custom elements could not be asked about")


async def _attached(frame: Frame) -> CDPSession:
    above: Frame | None = frame
    while above and above.parent_frame:
        with suppress(DriverError):  # only a frame in a process of its own has one
            return await session_of(above)
        above = above.parent_frame
    return await session_of(frame.page)


async def _leave(session: CDPSession) -> None:
    with suppress(DriverError):  # the page may be gone
        await asyncio.gather(*(session.send(f"{domain}.disable") for domain in _ENABLED))


async def _ask(session: CDPSession) -> None:
    await session.send("Accessibility.enable")
    for world in await _worlds(session):
        waiting = await session.send(
            "Runtime.evaluate", {"expression": f"({_WAITING})()", "contextId": world}
        )
        if held := waiting["result"].get("objectId"):
            listed = await session.send(
                "Runtime.getProperties", {"objectId": held, "ownProperties": True}
            )
            elements = [it["value"] for it in listed["result"] if it["name"].isdigit()]
            await asyncio.gather(*(_about(session, world, it["objectId"]) for it in elements))


async def _worlds(session: CDPSession) -> list[int]:
    """List the driver's isolated worlds, one for each document."""
    found: list[dict[str, Any]] = []

    def on_world(event: dict[str, Any]) -> None:
        found.append(event["context"])

    session.on("Runtime.executionContextCreated", on_world)
    await session.send("Runtime.enable")
    session.remove_listener("Runtime.executionContextCreated", on_world)
    return [it["id"] for it in found if it["name"].startswith(WORLD)]


async def _about(session: CDPSession, world: int, element: str) -> None:
    described, told = await asyncio.gather(
        session.send("DOM.describeNode", {"objectId": element}),
        session.send(
            "Accessibility.getPartialAXTree", {"objectId": element, "fetchRelatives": False}
        ),
    )
    for root in described["node"].get("shadowRoots", []):
        if root["shadowRootType"] == "closed":
            resolved = await session.send(
                "DOM.resolveNode",
                {"backendNodeId": root["backendNodeId"], "executionContextId": world},
            )
            await _call(session, resolved["object"]["objectId"], _KEEP_ROOT)
    if told["nodes"] and (found := facts(told["nodes"][0])):
        await _call(session, element, _KEEP_INTERNALS, {"value": found})


async def _call(session: CDPSession, node: str, function: str, *more: dict[str, Any]) -> None:
    arguments = [{"objectId": node}, *more]
    await session.send(
        "Runtime.callFunctionOn",
        {"objectId": node, "functionDeclaration": function, "arguments": arguments},
    )


def facts(node: dict[str, Any]) -> dict[str, Any] | None:
    """Turn what Chromium says about an element into our terms; None when it says nothing of use."""
    role = node.get("role", {}).get("value", "")
    if node.get("ignored") or role in ("", "generic", "none"):
        return None
    value = node.get("value", {}).get("value", "")
    return {
        "role": role,
        "name": _own_name(node),
        "value": f"{value:g}" if isinstance(value, int | float) else str(value),
        "states": _states(node),
    }


def _own_name(node: dict[str, Any]) -> str:
    """Give the name that the element set itself; one from its content is ours to find."""
    for source in node.get("name", {}).get("sources", []):
        if not source.get("superseded") and "value" in source:
            own = source["type"] in ("attribute", "relatedElement")
            return str(source["value"].get("value", "")) if own else ""
    return ""


def _states(node: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for said in node.get("properties", []):
        name, value = said["name"], said["value"].get("value")
        holds = {"true": True, "false": False}.get(str(value).lower(), value)
        if name in _EITHER:
            found[name] = holds
        elif name in _HOLDING and holds:
            found[name] = True
        elif name == "level":
            found[name] = value
    return found
