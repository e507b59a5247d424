"""Scripts that read pages, run where pages cannot touch them.

They are bundled into one selector engine in Playwright's isolated world: page scripts can neither
see nor change it, CSP does not stop it, and the DOM is left alone. A call makes the engine
return a detached element whose text is the JSON result, which takes one round trip.
"""

import asyncio
import itertools
import json
import re
from dataclasses import dataclass
from importlib import resources
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec
from playwright.async_api import ElementHandle, Frame, Locator, Selectors
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import translated
from browse.browser.page.shapes import (
    About,
    Again,
    Attributes,
    Box,
    Choices,
    Concealed,
    Covering,
    Facts,
    Focused,
    Found,
    Identity,
    Inside,
    Kept,
    Link,
    Marked,
    MediaSource,
    Nearest,
    Part,
    Restyled,
    Scrolled,
    Standing,
    Styled,
    Tables,
    View,
    Visible,
)
from browse.core.errors import BrowseError, Code
from browse.security.addressed import EXPRESSION

ENGINE = "browse"
CALL_TIMEOUT_MS = 20_000
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
runs = itertools.count(1)
T = TypeVar("T")
Place = Frame | Locator


class _Outcome(msgspec.Struct):
    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str | None = None
    unseen: list[Concealed] = []


@dataclass(frozen=True, slots=True)
class Script(Generic[T]):
    """One page script, and the shape that its answer must have."""

    name: str
    returns: type[T]

    async def __call__(self, place: Place | ElementHandle, **arguments: Any) -> T:
        """Run it on a document (a frame), on the one element that a locator finds, or on this."""
        return self._value(await self._run(place, arguments))

    async def read(
        self,
        place: Place | ElementHandle,
        *,
        evidence: bool = True,
        everything: bool = False,
        **arguments: Any,
    ) -> tuple[T, list[Concealed]]:
        """Run it, and tell in the same run what a person cannot see there."""
        wanted = evidence and ("all" if everything else "alarming")
        outcome = await self._run(place, {**arguments, "evidence": wanted})
        return self._value(outcome), outcome.unseen

    async def _run(self, place: Place | ElementHandle, arguments: dict[str, Any]) -> _Outcome:
        with translated(f"reading the page ({self.name})"):
            if isinstance(place, ElementHandle):
                answer = await _query(place, self.name, arguments)
                text = await answer.text_content() if answer else None
            else:
                text = await place.locator(_selector(self.name, arguments)).text_content(
                    timeout=CALL_TIMEOUT_MS
                )
        return msgspec.json.decode(text or "{}", type=_Outcome)

    def _value(self, outcome: _Outcome) -> T:
        if outcome.error is not None:
            raise BrowseError(
                Code.INTERNAL,
                f"The page script '{self.name}' failed.",
                hint="report this with the page's address",
                page=outcome.error,
            )
        return msgspec.json.decode(outcome.value, type=self.returns)


@dataclass(frozen=True, slots=True)
class Finder:
    """A page script that finds one element, starting at another."""

    name: str

    async def __call__(self, start: ElementHandle, **arguments: Any) -> ElementHandle | None:
        """Find it; None when there is none."""
        with translated(f"looking for an element ({self.name})"):
            return await _query(start, self.name, arguments)


def _selector(name: str, arguments: dict[str, Any]) -> str:
    return f"{ENGINE}={name} {quote(msgspec.json.encode(arguments).decode())}"


async def _query(
    start: ElementHandle, name: str, arguments: dict[str, Any]
) -> ElementHandle | None:
    try:
        async with asyncio.timeout(CALL_TIMEOUT_MS / 1000):
            return await start.query_selector(_selector(name, arguments))
    except TimeoutError as exc:
        raise DriverTimeout("the page did not answer") from exc


# What the scripts share, in the order in which one builds on another: (name on `lib`, file).
LIBRARY = (
    ("dom", "dom"),
    ("memory", "memory"),
    ("strangers", "strangers"),
    ("tree", "tree"),
    ("tables", "role_tables"),
    ("roles", "roles"),
    ("sheets", "sheets"),
    ("pseudo", "pseudo"),
    ("looks", "looks"),
    ("text", "name_text"),
    ("names", "names"),
    ("states", "states"),
    ("address", "address"),
    ("visibility", "visibility"),
    ("colours", "colours"),
    ("veils", "veils"),
    ("later", "later"),
    ("lids", "lids"),
    ("unseen", "unseen"),
    ("carried", "carried"),
    ("evidence", "evidence"),
    ("cursor", "cursor"),
    ("refs", "refs"),
    ("identity", "identity"),
    ("watch", "watch"),
    ("found", "found"),
    ("restyled", "restyled"),
    ("places", "places"),
    ("shown", "shown"),
    ("pageText", "page_text"),
    ("grids", "grids"),
    ("cards", "cards"),
    ("options", "options"),
    ("edits", "edits"),
    ("clutter", "clutter_tables"),
)
TEXT = Script("text", str)
FRAMED_TEXT = Script("framed_text", list[str])
MARKDOWN = Script("markdown", str)
VISIBLE_HTML = Script("visible_html", Visible)
TABLES = Script("tables", Tables)
FORMS = Script("forms", list[dict[str, Any]])
MEDIA = Script("media", dict[str, list[dict[str, Any]]])
DATA = Script("data", About)
UX_AUDIT = Script("ux_audit", dict[str, Any])
HTML = Script("html", str)
LINKS = Script("links", list[Link])
SNAPSHOT = Script("snapshot", Part)
INSPECT_REF = Script("inspect_ref", Standing)
DESCRIBE = Script("describe", Found)
NEAREST = Script("nearest", Nearest)
BEGIN_WATCH = Script("begin_watch", bool)
END_WATCH = Script("end_watch", int)
REVEAL = Script("reveal", bool)
PUT_BACK = Script("put_back", bool)
CENTRE = Script("centre", bool)
VIEW = Script("view", View)
BOXES = Script("boxes", list[Box])
INSIDE = Script("inside", Inside)
HAND_OVER = Script("hand_over", bool)
RESTYLE = Script("restyle", Restyled)
UNSTYLE = Script("unstyle", bool)
FACTS = Script("facts", Facts)
FOCUSED = Script("focused", Focused)
IDENTIFY = Script("identify", Identity)
CHOICES = Script("choices", Choices)
COVER = Script("cover", Covering)
SCROLL = Script("scroll", Scrolled)
CONTROL = Finder("control")
LISTBOX = Finder("listbox")
OPTION = Finder("option")
CLEAN = Script("clean", dict[str, int])
HIDE = Script("hide", int)
UNDO_EDITS = Script("undo_edits", int)
STORAGE: Script[dict[str, dict[str, str]] | None] = Script(
    "storage",
    dict[str, dict[str, str]] | None,  # type: ignore[arg-type] # a type that msgspec knows
)
STORE = Script("store", str)
PERF: Script[dict[str, float] | None] = Script("perf", dict[str, float] | None)  # type: ignore[arg-type] # as above
STATE: Script[bool | None] = Script("state", bool | None)  # type: ignore[arg-type] # a union is no type
ATTRS = Script("attrs", Attributes)
CSS = Script("css", Styled)
SOURCE = Script("source", str)
SOURCES = Script("sources", list[MediaSource])
KEPT = Script("kept", Kept)
ADDRESS_OF = Script("address_of", str)
MARK = Script("mark", Marked)
AGAIN = Script("again", Again)
ALL = tuple(value for value in list(globals().values()) if isinstance(value, Script | Finder))


async def described(
    frame: Frame, place: Locator, *, selector: str, most: int, again: bool = False
) -> Found:
    """Tell what a locator finds in a frame right now, without waiting and out of reach."""
    run = await noted(place, selector=selector)
    return await DESCRIBE(frame, run=run, most=most, again=again)


async def noted(place: Locator, *, selector: str) -> int:
    """Note what a locator finds right now, for the next script; give the number of that run."""
    run = next(runs)
    with translated("looking for the element", selector=selector):
        # Of all that the driver can do with a locator, this waits for nothing.
        await place.locator(f"{ENGINE}=note {run}").is_visible()
    return run


async def register(selectors: Selectors) -> None:
    """Install the engine; must happen before the first context is made."""
    await selectors.register(ENGINE, _engine_source(), content_script=True)


def source(name: str) -> str:
    """Read a page script's source."""
    return resources.files("browse.browser").joinpath("js", f"{name}.js").read_text("utf-8")


def _engine_source() -> str:
    library = "\n".join(f"lib.{name} = ({expression(file)})(lib);" for name, file in LIBRARY)
    table = ",\n".join(f"{script.name}: {expression(script.name)}" for script in ALL)
    # Made when it is first asked: the driver also loads it into the page's own world, where it is
    # never asked, and where a page may have broken what it is made of.
    return f"""(() => {{
const make = () => {{
const lib = {{ addressed: new RegExp({json.dumps(EXPRESSION)}, "i") }};
{library}
return ({expression("engine")})({{
{table}
}}, lib);
}};
let made = null;
const engine = () => (made ||= make());
return {{
query: (root, selector) => engine().query(root, selector),
queryAll: (root, selector) => engine().queryAll(root, selector),
}};
}})()"""


def expression(name: str) -> str:
    """Give a page script as an expression: a function that can be called or passed on.

    Characters beyond ASCII are escaped: one of them would make Chromium carry the whole engine,
    and the driver's own scripts with it, in two bytes a character, to every new document.
    """
    escaped = BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], source(name))
    return escaped.strip().rstrip(";")
