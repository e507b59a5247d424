"""Chromium's own accessibility tree, told in ARIA's terms, to measure ours against."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, Playwright

from browse.browser.page.engine_source import library_source
from browse.browser.process.chromium import find
from browse.browser.process.chromium_sandbox import why_no_sandbox

ENGINE = "aria"
TESTS = Path(__file__).parents[1]
HERE = TESTS / "browser" / "aria"

# Chromium's own words, and what ARIA (or, where it has no word, HTML) calls the same thing.
ROLES = {
    "Abbr": "generic",
    "Audio": "audio",
    "Canvas": "canvas",
    "ColorWell": "textbox",
    "Date": "textbox",
    "DateTime": "textbox",
    "DescriptionList": "generic",
    "DisclosureTriangle": "button",
    "DisclosureTriangleGrouped": "button",
    "EmbeddedObject": "object",
    "Figcaption": "caption",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "InputTime": "textbox",
    "LabelText": "generic",
    "LayoutTable": "generic",
    "LayoutTableCell": "generic",
    "LayoutTableRow": "generic",
    "Legend": "generic",
    "LineBreak": "generic",
    "ListMarker": "generic",
    "MathMLMath": "math",
    "MenuListPopup": "generic",
    "PluginObject": "object",
    "Pre": "generic",
    "RootWebArea": "document",
    "Ruby": "generic",
    "Section": "generic",
    "StaticText": "text",
    "SvgRoot": "graphics-document",
    "Video": "video",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """An element as Chromium tells it to assistive technology."""

    mark: str
    role: str
    name: str
    description: str
    states: dict[str, Any]


def fold(text: str) -> str:
    """Fold white space; no-break spaces inside stay, because they are part of a name."""
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip()


def engine() -> str:
    """The accessibility library in a selector engine that answers questions about it."""
    return f"({_source(HERE, 'engine')})({library_source()})"


async def ask(page: Page, command: str) -> Any:
    """Ask the engine; the page must belong to a driver that it is registered with."""
    answer = json.loads(await page.locator(f"{ENGINE}={command}").text_content() or "{}")
    assert "error" not in answer, answer["error"]
    return answer["value"]


async def launched(driver: Playwright) -> Browser:
    """Start Chromium with the engine in it."""
    await driver.selectors.register(ENGINE, engine(), content_script=True)
    sandbox = not why_no_sandbox(off=None, contained=True)
    return await driver.chromium.launch(executable_path=find("").path, chromium_sandbox=sandbox)


def _source(folder: Path, name: str) -> str:
    text = (folder / f"{name}.js").read_text("utf-8").replace("export default ", "", 1)
    return text.strip().rstrip(";")


async def chromium_tree(page: Page) -> list[Seen]:
    """Read the whole tree; only elements that carry an attribute `data-mark` are told."""
    session = await page.context.new_cdp_session(page)
    try:
        marks = await _marks(session)
        nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    finally:
        await session.detach()
    return [
        _seen(node, marks[node["backendDOMNodeId"]])
        for node in nodes
        if not node.get("ignored") and node.get("backendDOMNodeId") in marks
    ]


async def _marks(session: CDPSession) -> dict[int, str]:
    root = (await session.send("DOM.getDocument", {"depth": -1, "pierce": True}))["root"]
    found: dict[int, str] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        attributes = node.get("attributes", [])
        named = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if "data-mark" in named:
            found[node["backendNodeId"]] = named["data-mark"]
        waiting += node.get("children", []) + node.get("shadowRoots", [])
    return found


def _seen(node: dict[str, Any], mark: str) -> Seen:
    states = {it["name"]: it["value"].get("value") for it in node.get("properties", [])}
    role = node["role"]["value"]
    role = ROLES.get(role, role)
    if role == "generic" and states.get("editable") and states.get("focusable"):
        role = "textbox"  # Chromium tells an editor only by its state.
    return Seen(
        mark,
        role,
        fold(node.get("name", {}).get("value") or ""),
        fold(node.get("description", {}).get("value") or ""),
        states,
    )
