"""Tools that pages offer to agents (WebMCP): list them, and call one.

Names, descriptions, schemas and answers are the page's own words.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import DocumentLost, ScriptThrew, translated
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

LIST_MS = 5_000
# Of a page with more frames, the first are asked.
MAX_FRAMES = 50
# A form that is a tool is filled at once; then it waits for its button, and so would the caller.
FILL_MS = 500
_MARKS = {"readOnly": "read only", "consequential": "consequential"}


class PageTool(msgspec.Struct, frozen=True):
    """A tool that a document offers."""

    name: str
    description: str
    schema: Any
    marks: tuple[str, ...]
    frame: Frame

    @property
    def in_frame(self) -> bool:
        return self.frame.parent_frame is not None


class ToolAnswer(msgspec.Struct, frozen=True):
    """What came of a call: what the tool returned, or that its document went or its form waits."""

    value: Any = None
    left: bool = False
    filled: bool = False


def address_of(frame: Frame) -> str:
    """Return the address that a frame's document belongs to: of a blank one, its parent's."""
    at: Frame | None = frame
    while at and at.url.startswith("about:") and at.parent_frame:
        at = at.parent_frame
    return at.url if at else ""


async def page_tools(tab: Tab, admits: Callable[[str], bool]) -> list[PageTool]:
    """List the tools of a tab's documents, those of the chosen frame first.

    Documents whose address is not admitted are not asked.
    """
    frames = sorted(tab.page.frames, key=lambda it: it is not tab.frame)
    asked = [it for it in frames if admits(address_of(it))][:MAX_FRAMES]
    found = await asyncio.gather(*(_tools(it, must=it is tab.frame) for it in asked))
    return [tool for tools in found for tool in tools]


async def _tools(frame: Frame, *, must: bool) -> list[PageTool]:
    try:
        with translated("asking the page for its tools"):
            found = await frame.webmcp.tools(timeout=LIST_MS)
    except ScriptThrew as exc:
        if must:
            raise BrowseError(
                Code.SCRIPT_FAILED,
                "The tools of the page cannot be read: one may have a schema that is too deep.",
                hint="go on without them: `browse snapshot -i`",
                page=exc.page,
            ) from exc
        return []
    except BrowseError:
        if must:
            raise
        return []  # a frame that is gone, or hangs
    return [_tool(dict(it), frame) for it in found]


def _tool(told: dict[str, Any], frame: Frame) -> PageTool:
    marks = told.get("annotations") or {}
    said = tuple(words for key, words in _MARKS.items() if marks.get(key))
    name, description = str(told["name"]), str(told["description"])
    return PageTool(name, description, told.get("inputSchema"), said, frame)


async def call_tool(tool: PageTool, given: Any, limit_ms: int) -> ToolAnswer:
    """Call a tool and wait for its answer; raise if it fails or does not answer in time."""
    fills = await scripts.FORM_TOOL(tool.frame, name=tool.name) == "filled"
    try:
        value = await _call(tool, given, min(FILL_MS, limit_ms) if fills else limit_ms)
    except DriverTimeout as exc:
        if fills:
            return ToolAnswer(filled=True)
        raise BrowseError(
            Code.TIMEOUT,
            f"The tool did not answer within {limit_ms / 1000:g} s. What it began may go on.",
            hint="look before you call it again: `browse snapshot -i`; or give it --wait 120s",
        ) from exc
    except DocumentLost:
        return ToolAnswer(left=True)
    return ToolAnswer(value)


async def _call(tool: PageTool, given: Any, limit_ms: int) -> Any:
    try:
        return await tool.frame.webmcp.call_tool(tool.name, given, timeout=limit_ms)
    except DriverTimeout:
        raise
    except DriverError as exc:
        try:
            with translated("running its tool"):
                raise exc
        except ScriptThrew as thrown:
            raise failed("The tool failed.", thrown.page) from exc


def failed(message: str, words: str) -> BrowseError:
    """Build the error for a tool that failed, with what it said."""
    hint = "`browse tools` shows what it takes, `browse console --errors` what the page logged"
    return BrowseError(Code.SCRIPT_FAILED, message, hint=hint, page=words)


def choose(tools: Sequence[PageTool], name: str, chosen: Frame) -> PageTool:
    """Return the tool of a name: that of the chosen frame, else the only one."""
    found = [it for it in tools if it.name == name]
    if not found:
        names = "\n".join(" ".join(it.name.split())[:100] for it in tools[:50])
        raise BrowseError(
            Code.NO_MATCH,
            "The page offers no tool of that name." if tools else "The page offers no tools.",
            hint="`browse tools` lists them",
            page=names,
        )
    if len(found) > 1 and found[0].frame is not chosen:
        raise BrowseError(
            Code.SEVERAL_MATCH,
            f"{len(found)} frames offer a tool of that name.",
            hint="choose one first: `browse frame <selector>`",
        )
    return found[0]
