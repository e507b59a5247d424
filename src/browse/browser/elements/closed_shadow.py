"""Expose closed shadow roots, and roles set through `ElementInternals`, to page scripts.

Scripts cannot see either; CDP can. So it is asked over CDP, and the answers are stored in the
driver's isolated world of the document, where our page scripts look them up.
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
from browse.browser.page.engine_source import expression
from browse.browser.page.signals import WORLD
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
_LOCKS: WeakKeyDictionary[CDPSession, asyncio.Lock] = WeakKeyDictionary()

ASK_S = 3.0
_ENABLED = ("Runtime", "Accessibility")
_WAITING = expression("standalone/waiting_elements")
_KEEP_ROOT = expression("standalone/keep_closed_root")
_KEEP_INTERNALS = expression("standalone/keep_internals")
# States that are reported as true or false; the others are reported only if true.
_TRUE_OR_FALSE_STATES = frozenset({"checked", "expanded", "pressed", "selected"})
_TRUE_ONLY_STATES = frozenset({"busy", "disabled", "invalid", "modal", "readonly", "required"})


async def expose_custom_elements(frame: Frame) -> None:
    """Expose the custom elements that page scripts have queued in a document, if possible."""
    try:
        with translated("asking about custom elements"):
            async with asyncio.timeout(ASK_S):
                session = await _session_for(frame)
                # One at a time: worlds are reported only when `Runtime` goes from off to on.
                async with _LOCKS.setdefault(session, asyncio.Lock()):
                    try:
                        await _expose_waiting(session)
                    finally:
                        spawn(
                            _disable_domains(session),
                            name="disable the domains for custom elements",
                        )
    except (BrowseError, TimeoutError):
        # The elements are then shown as far as scripts can see them.
        log.info("custom elements could not be exposed")


async def _session_for(frame: Frame) -> CDPSession:
    above: Frame | None = frame
    while above and above.parent_frame:
        with suppress(DriverError):  # only a frame in a separate process has one
            return await session_of(above)
        above = above.parent_frame
    return await session_of(frame.page)


async def _disable_domains(session: CDPSession) -> None:
    with suppress(DriverError):  # the page may be gone
        await asyncio.gather(*(session.send(f"{domain}.disable") for domain in _ENABLED))


async def _expose_waiting(session: CDPSession) -> None:
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
            await asyncio.gather(
                *(_expose_element(session, world, it["objectId"]) for it in elements)
            )


async def _worlds(session: CDPSession) -> list[int]:
    """List the driver's isolated worlds, one for each document."""
    found: list[dict[str, Any]] = []

    def on_world(event: dict[str, Any]) -> None:
        found.append(event["context"])

    session.on("Runtime.executionContextCreated", on_world)
    await session.send("Runtime.enable")
    session.remove_listener("Runtime.executionContextCreated", on_world)
    return [it["id"] for it in found if it["name"].startswith(WORLD)]


async def _expose_element(session: CDPSession, world: int, element: str) -> None:
    described, tree = await asyncio.gather(
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
    if tree["nodes"] and (found := accessibility_facts(tree["nodes"][0])):
        await _call(session, element, _KEEP_INTERNALS, {"value": found})


async def _call(session: CDPSession, node: str, function: str, *more: dict[str, Any]) -> None:
    arguments = [{"objectId": node}, *more]
    await session.send(
        "Runtime.callFunctionOn",
        {"objectId": node, "functionDeclaration": function, "arguments": arguments},
    )


def accessibility_facts(node: dict[str, Any]) -> dict[str, Any] | None:
    """Convert Chromium's accessibility node to our facts; None if it has none of use."""
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
    """Return the name that the element set; page scripts find one from its content."""
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
        if name in _TRUE_OR_FALSE_STATES:
            found[name] = holds
        elif name in _TRUE_ONLY_STATES and holds:
            found[name] = True
        elif name == "level":
            found[name] = value
    return found
