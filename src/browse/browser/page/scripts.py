"""Scripts that read pages, run where pages cannot touch them.

They are bundled into one selector engine in Playwright's isolated world: page scripts can neither
see nor change it, CSP does not stop it, and the DOM is left alone. A call makes the engine
return a detached element whose text is the JSON result, which takes one round trip.
"""

import asyncio
import itertools
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec
from playwright.async_api import ElementHandle, Frame, Locator, Selectors
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import translated
from browse.browser.engine_name import ENGINE
from browse.browser.page.branches import Branch
from browse.browser.page.calendars import CalendarView
from browse.browser.page.choosing import Choices, Chosen
from browse.browser.page.dropping import DropOrder, DropPlace
from browse.browser.page.engine_source import engine_source
from browse.browser.page.login_fields import LoginFields
from browse.browser.page.matches import Matches
from browse.browser.page.pointing import Pointing
from browse.browser.page.shapes import (
    Aim,
    Attributes,
    Box,
    ComputedChange,
    ComputedStyle,
    Covering,
    Expected,
    Facts,
    FieldValue,
    FilledField,
    FocusedSecrets,
    FoundAgain,
    FrameBox,
    HiddenWords,
    Identity,
    Link,
    MediaAddress,
    Metadata,
    Nearest,
    PreparedField,
    RefStatus,
    Scrolled,
    SessionStorage,
    Sketch,
    TreePart,
    TreeRow,
    Viewport,
    VisibleHtml,
    Watched,
)
from browse.browser.page.sliding import SliderState
from browse.browser.page.tables import Tables
from browse.browser.page.typed import StillMissing, TypedState
from browse.core.errors import BrowseError, Code

CALL_TIMEOUT_MS = 20_000
runs = itertools.count(1)
T = TypeVar("T")
Place = Frame | Locator


class _Outcome(msgspec.Struct):
    value: msgspec.Raw = msgspec.Raw(b"null")
    error: str | None = None
    gone: str = ""  # the ref of an element that went since it was found
    hidden: list[HiddenWords] = []
    watched: Watched | None = None


class Script(msgspec.Struct, Generic[T], frozen=True):
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
    ) -> tuple[T, list[HiddenWords]]:
        """Run it, and tell in the same run what a person cannot see there."""
        wanted = evidence and ("all" if everything else "alarming")
        outcome = await self._run(place, {**arguments, "evidence": wanted})
        return self._value(outcome), outcome.hidden

    async def look(self, place: Place, **arguments: Any) -> tuple[T, Watched | None]:
        """Run it, and look in the same run at what an action has done to the document."""
        outcome = await self._run(place, {**arguments, "look": True})
        return self._value(outcome), outcome.watched

    async def _run(self, place: Place | ElementHandle, arguments: dict[str, Any]) -> _Outcome:
        with translated(f"reading the page ({self.name})"):
            if isinstance(place, ElementHandle):
                answer = await _query(place, self.name, arguments)
                text = await answer.text_content() if answer else None
            else:
                text = await place.locator(_selector(self.name, arguments)).text_content(
                    timeout=CALL_TIMEOUT_MS
                )
        outcome = msgspec.json.decode(text or "{}", type=_Outcome)
        if outcome.gone:
            raise stale(outcome.gone)
        return outcome

    def decoded(self, text: str | None) -> T:
        """Decode an answer of the engine."""
        return self._value(msgspec.json.decode(text or "{}", type=_Outcome))

    def _value(self, outcome: _Outcome) -> T:
        if outcome.error is not None:
            raise BrowseError(
                Code.INTERNAL,
                f"The page script '{self.name}' failed.",
                hint="report this with the page's address",
                page=outcome.error,
            )
        return msgspec.json.decode(outcome.value, type=self.returns)


class Finder(msgspec.Struct, frozen=True):
    """A page script that finds one element, starting at another."""

    name: str

    async def __call__(self, start: ElementHandle, **arguments: Any) -> ElementHandle | None:
        """Find it; None when there is none."""
        with translated(f"looking for an element ({self.name})"):
            return await _query(start, self.name, arguments)

    def place(self, frame: Frame | Locator, **arguments: Any) -> Locator:
        """Return what it finds in a frame or element, as a locator, which looks again each time."""
        return frame.locator(_selector(self.name, arguments))


def stale(ref: str, was: str = "") -> BrowseError:
    """Build the error for a ref whose element is not on the page."""
    return BrowseError(
        Code.REF_STALE,
        f"Ref {ref} is stale: its element is no longer on the page. Nothing was done.",
        hint="run `browse snapshot -i` for the refs there are now",
        page=was,
    )


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


# A script has the path of its file in js/entry, and the constant the name of that file.
TEXT = Script("reading/text", str)
FRAMED_TEXT = Script("reading/framed_text", tuple[list[str], bool])
SHOWN_FIELD = Finder("reading/shown_field")
UNLESS_SECRET = Finder("reading/unless_secret")
MARKDOWN = Script("reading/markdown", tuple[list[str], bool])
VISIBLE_HTML = Script("reading/visible_html", VisibleHtml)
HTML = Script("reading/html", str)
LINKS = Script("reading/links", list[Link])
TABLES = Script("reading/tables", Tables)
SCROLL_TABLE = Script("reading/scroll_table", bool)
FORMS = Script("reading/forms", list[dict[str, Any]])
MEDIA = Script("reading/media", dict[str, list[dict[str, Any]]])
DATA = Script("reading/data", Metadata)
UX_AUDIT = Script("reading/ux_audit", dict[str, Any])
SNAPSHOT = Script("reading/snapshot", TreePart)
WHOLE_SNAPSHOT: Script[list[TreeRow] | None] = Script(
    "reading/whole_snapshot",
    list[TreeRow] | None,  # type: ignore[arg-type] # as below
)
TOOL_COUNT = Script("reading/tool_count", int)
FORM_TOOL = Script("reading/form_tool", str)
SKETCH = Script("reading/sketch", Sketch)
LOADING_TIMES: Script[dict[str, float] | None] = Script(
    "reading/loading_times",
    dict[str, float] | None,  # type: ignore[arg-type] # as below
)
INSPECT_REF = Script("elements/inspect_ref", RefStatus)
DESCRIBE_NOTED = Script("elements/describe_noted", Matches)
NEAREST = Script("elements/nearest", Nearest)
AT_POINT = Script("elements/at_point", Pointing)
DOCUMENT_TIME = Script("elements/document_time", float)
FIND_AGAIN = Script("elements/find_again", FoundAgain)
IDENTIFY = Script("elements/identify", Identity)
FACTS = Script("elements/facts", Facts)
FOCUSED_SECRETS = Script("elements/focused_secrets", FocusedSecrets)
ATTRIBUTES = Script("elements/attributes", Attributes)
NAMING_ATTRIBUTES = Script("elements/naming_attributes", list[dict[str, str]])
CONFIRM_REFS = Script("elements/confirm_refs", int)
VALUE: Script[FieldValue | None] = Script("elements/value", FieldValue | None)  # type: ignore[arg-type] # a union is no type
COMPUTED_STYLE = Script("elements/computed_style", ComputedStyle)
SELECTOR = Script("elements/selector", str)
SHARE_ELEMENT = Script("elements/share_element", bool)
STATE: Script[bool | None] = Script("elements/state", bool | None)  # type: ignore[arg-type] # a union is no type
START_WATCHING = Script("acting/start_watching", bool)
STOP_WATCHING = Script("acting/stop_watching", bool)
LOOK = Script("acting/look", Watched)
AIM = Script("acting/aim", Aim)
ARRIVED = Script("acting/arrived", str)
IS_HOVERED = Script("acting/is_hovered", bool)
PREPARE_FIELD = Script("acting/prepare_field", PreparedField)
FILLED_FIELD = Script("acting/filled_field", FilledField)
TELL_CHANGE = Script("acting/tell_change", bool)
EXPECTED = Script("acting/expected", Expected)
CHOICES = Script("widgets/choices", Choices)
FIND_LOGIN = Script("acting/find_login", LoginFields)
FILL_LOGIN = Script("acting/fill_login", LoginFields)
TELL_FIELDS = Script("view/tell_fields", bool)
COVERING = Script("acting/covering", Covering)
SCROLL = Script("acting/scroll", Scrolled)
CONTROL = Finder("acting/control")
CALENDAR = Script("widgets/calendar", CalendarView)
CALENDAR_PART = Finder("widgets/calendar_part")
TREE = Script("widgets/tree", Branch)
TREE_PART = Finder("widgets/tree_part")
SLIDER_HANDLE = Finder("widgets/slider_handle")
SLIDER = Script("widgets/slider", SliderState)
KEEP_DRAGGED = Script("dragging/keep_dragged", bool)
DROP_PLACE = Script("dragging/drop_place", DropPlace)
DROP_ORDER = Script("dragging/drop_order", DropOrder)
EDITOR = Finder("editing/editor")
KEYED = Finder("editing/keyed")
ENTER_EDITOR = Script("editing/enter_editor", str)
PASTE = Script("editing/paste", str)
PASTED = Script("editing/pasted", bool)
EDITOR_TEXT: Script[str | None] = Script("editing/editor_text", str | None)  # type: ignore[arg-type] # as above
CHOSEN = Script("widgets/chosen", Chosen)
STAND_IN = Finder("widgets/stand_in")
SEARCH_FIELD = Finder("widgets/search_field")
LISTBOX = Finder("widgets/listbox")
OPTION = Finder("widgets/option")
SCROLL_INTO_VIEW = Script("visual/scroll_into_view", bool)
RESTORE_SCROLL = Script("visual/restore_scroll", bool)
CENTRE = Script("visual/centre", bool)
VIEWPORT = Script("visual/viewport", Viewport)
REF_BOXES = Script("visual/ref_boxes", list[Box])
FRAME_BOX = Script("visual/frame_box", FrameBox)
HIDE_CLUTTER = Script("visual/hide_clutter", dict[str, int])
HIDE_OWN_DRAWINGS = Script("visual/hide_own_drawings", bool)
WORDS_TO_PAINT = Script("visual/words_to_paint", str)
COVER_WORDS = Script("visual/cover_words", int)
HIDE_NOTED = Script("visual/hide_noted", int)
UNDO_HIDING = Script("visual/undo_hiding", int)
CHANGE_STYLE = Script("style/change_style", ComputedChange)
UNDO_STYLE = Script("style/undo_style", bool)
WRITE_STORAGE = Script("storage/write_storage", str)
READ_SESSION_STORAGE = Script("storage/read_session_storage", SessionStorage)
READ_TYPED = Script("storage/read_typed", TypedState)
RESTORE_TYPED = Script("storage/restore_typed", StillMissing)
READ_STORAGE: Script[dict[str, dict[str, str]] | None] = Script(
    "storage/read_storage",
    dict[str, dict[str, str]] | None,  # type: ignore[arg-type] # a type that msgspec knows
)
FILE_ADDRESS = Script("files/file_address", str)
MEDIA_ADDRESSES = Script("files/media_addresses", list[MediaAddress])
ALL = tuple(value for value in list(globals().values()) if isinstance(value, Script | Finder))


async def described(
    frame: Frame,
    place: Locator,
    *,
    selector: str,
    most: int,
    again: bool = False,
    worded: bool = False,
    **options: Any,
) -> Matches:
    """Return what a locator finds in a frame right now, without waiting and out of reach."""
    run = next(runs)
    asked = {"run": run, "most": most, "again": again, "worded": worded, **options}
    # In one round trip: noting matches nothing, so the driver goes on to what describes. The
    # document comes first, because a quote that does not end in a selector hides what follows.
    begun = frame.locator(f"{ENGINE}=note {run}")
    found = begun.or_(place.locator(f"{ENGINE}=note {run}"))
    described = found.or_(frame.locator(_selector(DESCRIBE_NOTED.name, asked)))
    with translated("looking for the element", selector=selector):
        text = await described.text_content(timeout=CALL_TIMEOUT_MS)
    return DESCRIBE_NOTED.decoded(text)


async def noted(place: Locator, *, selector: str) -> int:
    """Note what a locator finds right now, for the next script; give the number of that run."""
    run = next(runs)
    with translated("looking for the element", selector=selector):
        # Of all that the driver can do with a locator, this waits for nothing.
        await place.locator(f"{ENGINE}=note {run}").is_visible()
    return run


async def register(selectors: Selectors) -> None:
    """Install the engine; must happen before the first context is made."""
    await selectors.register(ENGINE, engine_source(it.name for it in ALL), content_script=True)
