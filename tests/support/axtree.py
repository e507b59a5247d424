"""Chromium's own accessibility tree, told in ARIA's terms, to measure ours against."""

import re
from dataclasses import dataclass
from importlib import resources
from typing import Any

from playwright.async_api import CDPSession, Page

FILES = ("tree", "role_tables", "roles", "pseudo", "name_text", "names", "states")
PLACES = {"role_tables": "tables", "name_text": "text"}

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
    """Fold white space, but not no-break spaces, which are part of a name."""
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


def library() -> str:
    """The accessibility library as one expression."""
    folder = resources.files("browse.browser").joinpath("js")
    lines = ["(() => { const lib = {};"]
    for name in FILES:
        source = folder.joinpath(f"{name}.js").read_text("utf-8").strip().rstrip(";")
        lines.append(f"lib.{PLACES.get(name, name)} = ({source})(lib);")
    return "\n".join([*lines, "return lib; })()"])


def engine(script: str) -> str:
    """A selector engine that answers with what a script of the library and its argument gives."""
    return f"""(() => {{
      const lib = {library()};
      const script = ({script});
      const answer = (root, selector) => {{
        const holder = document.createElement("b");
        lib.fresh();
        try {{ holder.textContent = JSON.stringify({{ value: script(lib, decodeURIComponent(selector)) }}); }}
        catch (error) {{ holder.textContent = JSON.stringify({{ error: String(error && error.stack) }}); }}
        return holder;
      }};
      return {{ query: answer, queryAll: (root, selector) => [answer(root, selector)] }};
    }})()"""


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
    if role == "generic" and states.get("editable") == "richtext" and states.get("focusable"):
        role = "textbox"  # Chromium tells an editor only by its state.
    return Seen(
        mark,
        role,
        fold(node.get("name", {}).get("value") or ""),
        fold(node.get("description", {}).get("value") or ""),
        states,
    )
