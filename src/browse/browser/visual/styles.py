"""Read the styles of an element, and change them in a way that can be undone."""

import itertools
from collections.abc import Mapping
from typing import Any

import msgspec
from playwright.async_api import CDPSession, Frame

from browse.browser.driver_errors import translated
from browse.browser.elements.cdp_nodes import node_of
from browse.browser.elements.target import FoundElement
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.visual.cascade import CssRule, parse_rules
from browse.core.errors import BrowseError, Code

MAX_CHANGES = 200
SIDES = ("margin", "border", "padding", "content")
_numbers = itertools.count(1)


class ElementStyles(msgspec.Struct, frozen=True):
    """The styles of an element: boxes, rules, computed values, pseudo-elements."""

    tag: str
    attributes: dict[str, str]
    box: dict[str, list[float]]
    rules: list[CssRule]
    computed: dict[str, str]
    pseudo: dict[str, list[CssRule]]


class StyleChange(msgspec.Struct, frozen=True):
    """A style property that a command changed."""

    number: int
    frame: Frame
    selector: str
    name: str
    before: str
    after: str


async def read_styles(tab: Tab, target: FoundElement, *, named: str) -> ElementStyles:
    """Read the styles of an element over CDP."""
    async with node_of(tab, target, named=named) as node:
        session, sheets = node.session, dict[str, Mapping[str, Any]]()

        def note(event: dict[str, Any]) -> None:
            sheets[event["header"]["styleSheetId"]] = event["header"]

        session.on("CSS.styleSheetAdded", note)
        try:
            with translated("reading the styles"):
                return await _read_from_session(session, node.object_id, sheets)
        finally:
            session.remove_listener("CSS.styleSheetAdded", note)


async def _read_from_session(
    session: CDPSession, object_id: str, sheets: Mapping[str, Mapping[str, Any]]
) -> ElementStyles:
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    try:
        await session.send("DOM.getDocument", {"depth": 0})
        node = await session.send("DOM.requestNode", {"objectId": object_id})
        described = await session.send("DOM.describeNode", {"objectId": object_id})
        matched = await session.send("CSS.getMatchedStylesForNode", node)
        computed = await session.send("CSS.getComputedStyleForNode", node)
        box = await _box(session, object_id)
    finally:
        await session.send("CSS.disable")
        await session.send("DOM.disable")
    named = described["node"].get("attributes", [])
    return ElementStyles(
        tag=described["node"]["localName"],
        attributes=dict(zip(named[::2], named[1::2], strict=True)),
        box=box,
        rules=parse_rules(matched, sheets),
        computed={it["name"]: it["value"] for it in computed["computedStyle"]},
        pseudo={
            it["pseudoType"]: parse_rules({"matchedCSSRules": it["matches"]}, sheets)
            for it in matched.get("pseudoElements", [])
        },
    )


async def _box(session: CDPSession, object_id: str) -> dict[str, list[float]]:
    """Measure the four boxes as x, y, width, height; empty if the element has no box."""
    try:
        with translated("measuring it"):
            model = (await session.send("DOM.getBoxModel", {"objectId": object_id}))["model"]
    except BrowseError:
        return {}
    return {side: _bounds(model[side]) for side in SIDES}


def _bounds(quad: list[float]) -> list[float]:
    xs, ys = quad[::2], quad[1::2]
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]


async def set_style(
    tab: Tab, target: FoundElement, selector: str, name: str, value: str
) -> StyleChange:
    """Set a property in the element's style attribute; remember the previous value."""
    number = next(_numbers)
    done = await scripts.CHANGE_STYLE(target.place, number=number, name=name, value=value)
    if not done.taken:
        raise BrowseError(
            Code.STYLE_INVALID,
            f"{name!r} does not accept that value. Nothing was changed.",
            hint="check the spelling of the property and the value, with its unit",
        )
    made = StyleChange(number, target.frame, selector, name, done.before, done.after)
    tab.restyled.append(made)
    del tab.restyled[:-MAX_CHANGES]
    return made


async def undo_changes(tab: Tab, count: int) -> list[StyleChange]:
    """Undo the last changes, the newest first; skip elements that have gone."""
    undone: list[StyleChange] = []
    for _ in range(min(count, len(tab.restyled))):
        last = tab.restyled.pop()
        if not last.frame.is_detached():
            await scripts.UNDO_STYLE(last.frame, number=last.number)
        undone.append(last)
    return undone
