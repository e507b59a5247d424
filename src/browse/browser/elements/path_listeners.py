"""Find out whether a page listens to an action: event listeners on the way of its event.

Page scripts cannot see a page's listeners; the DevTools protocol can. It is asked about each node
that the event passed, and about the window. What cannot be found out counts as a listener.
"""

import asyncio
from contextlib import suppress
from typing import Any, Literal

import msgspec
from playwright.async_api import Error as DriverError

from browse.browser.page.signals import PageSignal
from browse.core.tasks import spawn

_GROUP = "browse-path"
_WINDOWS = "browse-window"
_PATH = 'globalThis[Symbol.for("browse event path")] || []'
# The driver adds listeners of its own to the window of the page, all in one script with this one.
_DRIVERS_OWN = "__playwright_global_listeners_check__"
# Those of its recorder, which stays in the pages of a session after a trace.
_DRIVERS_EVENTS = "__playwright"
MOVES = frozenset(
    f"{device}{move}"
    for device in ("mouse", "pointer")
    for move in ("move", "over", "out", "enter", "leave", "rawupdate")
)
# What no pointer and no key causes.
_OTHERS = frozenset(
    [
        "load",
        "unload",
        "beforeunload",
        "pagehide",
        "pageshow",
        "pagereveal",
        "pageswap",
        "DOMContentLoaded",
        "readystatechange",
        "visibilitychange",
        "resize",
        "message",
        "messageerror",
        "error",
        "unhandledrejection",
        "rejectionhandled",
        "popstate",
        "hashchange",
        "online",
        "offline",
        "storage",
        "languagechange",
        "orientationchange",
        "devicemotion",
        "deviceorientation",
        "animationstart",
        "animationiteration",
        "animationend",
        "animationcancel",
        "transitionrun",
        "transitionstart",
        "transitionend",
        "transitioncancel",
        "securitypolicyviolation",
        "fullscreenchange",
        "fullscreenerror",
        "freeze",
        "resume",
        "prerenderingchange",
        "appinstalled",
        "beforeinstallprompt",
        "copy",
        "cut",
        "paste",
        "afterprint",
        "beforeprint",
        "slotchange",
    ]
)
_KEYS = frozenset({"keydown", "keyup", "keypress"})
Kind = Literal["", "press", "key", "move", "value"]


class EventPath(msgspec.Struct, frozen=True):
    """The nodes that the events of an action have passed, and which list of them it is."""

    version: int
    nodes: list[str]


async def may_answer(acted: PageSignal, kind: Kind, path: EventPath | None = None) -> bool:
    """Check whether the page listens to an action whose event a page script has signalled.

    A page that is busy does not answer; the caller limits the time.
    """
    try:
        on_path, on_window = await asyncio.gather(_on_path(acted, path), _on_window(acted))
    except (DriverError, LookupError):
        return True
    finally:
        if path is None:
            spawn(release(acted), name="objects of an event's path")
    return any(_is_caused(type, kind) for type in on_path | on_window)


def _is_caused(type: str, kind: Kind) -> bool:
    if kind == "move":
        return type in MOVES
    if kind == "press" and type in _KEYS:
        return False
    return type not in _OTHERS and not type.startswith(_DRIVERS_EVENTS)


async def known_path(acted: PageSignal) -> EventPath | None:
    """Read the path of an action's events; None if that is not known.

    Whoever has read one releases its objects.
    """
    with suppress(DriverError, LookupError):
        path, _ = await asyncio.gather(_path(acted), _window(acted))
        return path
    return None


async def _path(acted: PageSignal) -> EventPath:
    path = await _evaluate(acted, _PATH, acted.context, _GROUP)
    listed = await acted.session.send(
        "Runtime.getProperties", {"objectId": path, "ownProperties": True}
    )
    values = {it["name"]: it["value"] for it in listed["result"]}
    nodes = [it["objectId"] for name, it in values.items() if name.isdigit()]
    if not nodes:
        raise LookupError("the event is not known")
    return EventPath(values.get("version", {}).get("value", 0), nodes)


async def _on_path(acted: PageSignal, path: EventPath | None) -> set[str]:
    nodes = (path or await _path(acted)).nodes
    found = await asyncio.gather(*(_listeners(acted, node, pierce=True) for node in nodes))
    return {it["type"] for each in found for it in each}


async def _window(acted: PageSignal) -> str:
    """Return the window of the page's own world, which is kept for as long as the document is."""
    context = acted.worlds.page_context(acted.context)
    if context is None:
        raise LookupError("the page's own context is not known")
    windows = acted.worlds.windows
    if context not in windows:
        # Not by its name: a page can change what `globalThis` is.
        windows[context] = await _evaluate(acted, "this", context, _WINDOWS)
    return windows[context]


async def _on_window(acted: PageSignal) -> set[str]:
    found = await _listeners(acted, await _window(acted))
    own = {it["scriptId"] for it in found if it["type"] == _DRIVERS_OWN}
    return {it["type"] for it in found if it["scriptId"] not in own}


async def _evaluate(acted: PageSignal, expression: str, context: int, group: str) -> str:
    answer = await acted.session.send(
        "Runtime.evaluate",
        {"expression": expression, "contextId": context, "objectGroup": group},
    )
    return str(answer["result"]["objectId"])


async def _listeners(acted: PageSignal, node: str, *, pierce: bool = False) -> list[dict[str, Any]]:
    # With `pierce` the listeners of all worlds are told: the node is one of the isolated world.
    found = await acted.session.send(
        "DOMDebugger.getEventListeners", {"objectId": node, "depth": 1, "pierce": pierce}
    )
    listeners: list[dict[str, Any]] = found["listeners"]
    return listeners


async def release(acted: PageSignal) -> None:
    """Release the objects of an action's path."""
    with suppress(DriverError):  # the page may be gone
        await acted.session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
