"""Find out whether a page listens to an action: event listeners on the way of its event.

Page scripts cannot see a page's listeners; the DevTools protocol can. It is asked about each node
that the event passed, and about the window. What cannot be found out counts as a listener.
"""

import asyncio
from contextlib import suppress
from typing import Any, Literal

from playwright.async_api import Error as DriverError

from browse.browser.page.signals import PageSignal
from browse.core.tasks import spawn

_GROUP = "browse-path"
_PATH = 'globalThis[Symbol.for("browse event path")] || []'
# The driver adds listeners of its own to the window of the page, all in one script with this one.
_DRIVERS_OWN = "__playwright_global_listeners_check__"
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


async def may_answer(acted: PageSignal, kind: Kind) -> bool:
    """Check whether the page listens to an action whose event a page script has signalled.

    A page that is busy does not answer; the caller limits the time.
    """
    try:
        on_path, on_window = await asyncio.gather(_on_path(acted), _on_window(acted))
    except (DriverError, LookupError):
        return True
    finally:
        spawn(_release(acted), name="objects of an event's path")
    return any(_is_caused(type, kind) for type in on_path | on_window)


def _is_caused(type: str, kind: Kind) -> bool:
    if kind == "move":
        return type in MOVES
    if kind == "press" and type in _KEYS:
        return False
    return type not in _OTHERS


async def _on_path(acted: PageSignal) -> set[str]:
    path = await _evaluate(acted, _PATH, acted.context)
    listed = await acted.session.send(
        "Runtime.getProperties", {"objectId": path, "ownProperties": True}
    )
    nodes = [it["value"]["objectId"] for it in listed["result"] if it["name"].isdigit()]
    if not nodes:
        raise LookupError("the event is not known")
    found = await asyncio.gather(*(_listeners(acted, node, pierce=True) for node in nodes))
    return {it["type"] for each in found for it in each}


async def _on_window(acted: PageSignal) -> set[str]:
    context = acted.worlds.page_context(acted.context)
    if context is None:
        raise LookupError("the page's own context is not known")
    # Not by its name: a page can change what `globalThis` is.
    found = await _listeners(acted, await _evaluate(acted, "this", context))
    own = {it["scriptId"] for it in found if it["type"] == _DRIVERS_OWN}
    return {it["type"] for it in found if it["scriptId"] not in own}


async def _evaluate(acted: PageSignal, expression: str, context: int) -> str:
    answer = await acted.session.send(
        "Runtime.evaluate",
        {"expression": expression, "contextId": context, "objectGroup": _GROUP},
    )
    return str(answer["result"]["objectId"])


async def _listeners(acted: PageSignal, node: str, *, pierce: bool = False) -> list[dict[str, Any]]:
    # With `pierce` the listeners of all worlds are told: the node is one of the isolated world.
    found = await acted.session.send(
        "DOMDebugger.getEventListeners", {"objectId": node, "depth": 1, "pierce": pierce}
    )
    listeners: list[dict[str, Any]] = found["listeners"]
    return listeners


async def _release(acted: PageSignal) -> None:
    with suppress(DriverError):  # the page may be gone
        await acted.session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
