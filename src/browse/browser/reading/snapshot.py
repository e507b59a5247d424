"""Take a snapshot: the accessibility tree of a tab, frames included, as rows with refs."""

from contextlib import suppress

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator

from browse.browser.elements.closed_shadow import expose_custom_elements
from browse.browser.elements.event_listeners import HeardElements, heard_elements
from browse.browser.elements.page_changes import while_restless
from browse.browser.elements.target import FoundElement, Patience
from browse.browser.engine_name import ENGINE
from browse.browser.page import scripts
from browse.browser.page.shapes import HiddenLine, TreeRow
from browse.browser.reading.hidden_text import to_blocks
from browse.browser.tabs.refs import TakenRefs
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.security.blocks import Block

# Flags of a row, as js/entry/reading/snapshot.js sets them.
ON_SCREEN, INTERACTIVE, FRAME, CURSOR = 1, 2, 4, 8
FRAME_MS = 1000
NOTHING_LISTENS = HeardElements()
CLICKABLE_HEADING = "── cursor-interactive (not in ARIA tree) ──"
# Which custom elements to expose before each pass: a closed shadow root may hold further ones.
ASKED = ("all", "new", "new", "none")
# Ranks of lines when not all fit: what is on screen and interactive is shown first.
FIRST_RANK, LAST_RANK = 0, 4


def ref_of(row: TreeRow) -> str:
    """Return a row's ref: `@e12`, or `@c3` for an element without a role; "" for bare text."""
    if not row.number:
        return ""
    return f"@{'c' if row.flags & CURSOR else 'e'}{row.number}"


def describe_with_ref(row: TreeRow) -> str:
    """Format a row with its ref and its context, without indentation."""
    ref = ref_of(row)
    words = _formatted(row, f"[in {_quoted(row.context)}]" if row.context else "")
    return f"{ref} {words}" if ref else words


def describe(row: TreeRow) -> str:
    """Format what a row itself says: without its ref, and without what depends on other rows."""
    return _formatted(row)


def _quoted(words: str) -> str:
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _formatted(row: TreeRow, context: str = "") -> str:
    parts = [f"[{row.role}]"]
    if row.name:
        parts.append(_quoted(row.name))
    if context:
        parts.append(context)
    if row.marks:
        parts.append(row.marks)
    return " ".join(parts) + (f": {row.text}" if row.text else "")


class SnapshotOptions(msgspec.Struct, frozen=True):
    """Which parts of the tree to include."""

    interactive: bool = False
    compact: bool = False
    depth: int | None = None
    cursor: bool = False
    hidden: bool = False
    selector: str | None = None
    refs: bool = True
    looking: bool = False  # what elements were shown as before stays
    options: bool = False  # the options of long selects too

    @property
    def clickable(self) -> bool:
        """Whether to include clickable elements without a role."""
        return self.interactive or self.cursor


class PreviousSnapshot(msgspec.Struct, frozen=True):
    """The rows of a snapshot, kept for comparison with the next one.

    Of a snapshot that was cut they are only a part; `cut` says where the document keeps them all.
    """

    doc: int
    options: SnapshotOptions
    rows: tuple[TreeRow, ...]
    cut: "CutSnapshot | None" = None

    @property
    def is_whole(self) -> bool:
        """Whether no part of the document was left out."""
        return not self.cut and self.options.selector is None and self.options.depth is None


class CutSnapshot(msgspec.Struct, frozen=True):
    """A document that keeps all rows of a snapshot, and the number that they have there."""

    frame: Frame
    number: int

    async def rows(self) -> list[TreeRow] | None:
        """Return all rows; None if the document does not keep them any more."""
        return await scripts.WHOLE_SNAPSHOT(self.frame, number=self.number)


class Snapshot(msgspec.Struct):
    """The tree of a tab at one moment."""

    rows: list[TreeRow] = msgspec.field(default_factory=list)
    clickable: list[TreeRow] = msgspec.field(default_factory=list)
    unseen: list[HiddenLine] = msgspec.field(default_factory=list)
    hidden: list[Block] = msgspec.field(default_factory=list)
    doc: int = 0  # the tab's count of its documents
    more: int = 0  # rows that do not fit into the reply, and are not built
    cut: CutSnapshot | None = None
    tools: int = 0  # that the document offers to agents; -1 if that is not known yet
    headed: bool = False  # whether a heading stands above the clickable elements

    def lines(self) -> list[str]:
        """Format the tree, then other clickable elements, then the hidden text."""
        tree = ["  " * row.depth + describe_with_ref(row) for row in self.rows]
        clickable = [describe_with_ref(row) for row in self.clickable]
        heading = ["", CLICKABLE_HEADING] if clickable and self.headed else []
        return tree + heading + clickable + [_hidden(it) for it in self.unseen]

    def ranks(self) -> list[int]:
        """Return the rank of each line; low ranks are shown first when not all lines fit."""
        headed = self.clickable and self.headed
        heading = [min(map(_rank, self.clickable))] * 2 if headed else []
        rows = [_rank(row) for row in self.rows]
        return (
            rows + heading + [_rank(row) for row in self.clickable] + [LAST_RANK] * len(self.unseen)
        )


def _rank(row: TreeRow) -> int:
    here, operated = row.flags & ON_SCREEN, row.flags & INTERACTIVE
    return FIRST_RANK + (0 if here and operated else 1 if here else 2 if operated else 3)


def _hidden(it: HiddenLine) -> str:
    return f"hidden ({it.reason}) [{it.where}]: {it.text}"


async def take_snapshot(
    tab: Tab, options: SnapshotOptions, root: FoundElement | None = None, *, room: int = 0
) -> Snapshot:
    """Read the tree of the tab's document or of one element, frames included.

    `room`: how many characters will be shown, 0 for all. Rows that do not fit may be left out, in
    the order of their ranks.
    """
    place: Frame | Locator = tab.frame
    frame = tab.frame
    if root:
        place, frame = root.place, root.frame
    snapshot = Snapshot(doc=tab.refs.doc, headed=options.cursor)
    asks = options.cursor and frame is tab.page.main_frame
    listeners = await heard_elements(tab) if asks else NOTHING_LISTENS
    await _read(tab, place, frame, options, snapshot, 0, listeners, room)
    rows = (*snapshot.rows, *snapshot.clickable)
    tab.refs.take(TakenRefs(snapshot.doc, {ref: row for row in rows if (ref := ref_of(row))}))
    return snapshot


async def take_when_there(
    tab: Tab,
    options: SnapshotOptions,
    root: FoundElement | None,
    patience: Patience,
    *,
    room: int = 0,
) -> Snapshot:
    """Do the same; while there is nothing to show and the page is not quiet, wait for some."""

    async def look() -> Snapshot | None:
        with suppress(BrowseError):  # the element may be replaced by now
            found = await take_snapshot(tab, options, root, room=room)
            return found if found.rows or found.clickable else None
        return None

    first = await take_snapshot(tab, options, root, room=room)
    if first.rows or first.clickable:
        return first
    return await while_restless(tab, look, patience.limit_ms, patience.is_busy) or first


async def _read(
    tab: Tab,
    place: Frame | Locator,
    frame: Frame,
    options: SnapshotOptions,
    into: Snapshot,
    depth: int,
    listeners: HeardElements = NOTHING_LISTENS,
    room: int = 0,
) -> None:
    for ask in ASKED:
        part, concealed = await scripts.SNAPSHOT.read(
            place,
            evidence=not options.interactive,
            numbers={**tab.refs.start(), "doc": into.doc},
            interactive=options.interactive,
            compact=options.compact,
            depth=None if options.depth is None else options.depth - depth,
            cursor=options.clickable,
            listening=listeners,
            hidden=options.hidden,
            refs=options.refs,
            looking=options.looking,
            unfolded=options.options,
            room=room,
            ask=ask,
        )
        if not part.waiting:
            break
        await expose_custom_elements(frame)
    tab.refs.claim(frame, part.next)
    if not depth:
        into.tools = part.tools
    if part.more:
        into.more, into.cut = part.more, CutSnapshot(frame, part.whole)
    into.unseen += part.hidden
    into.hidden += to_blocks(concealed or part.misleading)
    for row in part.rows:
        if row.flags & CURSOR:
            into.clickable.append(row)
            continue
        row.depth += depth
        into.rows.append(row)
        if row.flags & FRAME and (child := await _frame_of_row(frame, part.next.doc, row)):
            await _read_child(tab, child, options, into, row)
        if not options.refs:
            row.number = 0


async def _read_child(
    tab: Tab, child: Frame, options: SnapshotOptions, into: Snapshot, host: TreeRow
) -> None:
    """Add a frame's tree below its host row; `-i` drops the host of an empty tree."""
    rows, clickable = len(into.rows), len(into.clickable)
    await _read(tab, child, child, options, into, host.depth + 1)
    if not host.flags & ON_SCREEN:
        for row in (*into.rows[rows:], *into.clickable[clickable:]):
            row.flags &= ~ON_SCREEN
    if options.interactive and len(into.rows) == rows:
        into.rows.remove(host)


async def _frame_of_row(frame: Frame, doc: int, row: TreeRow) -> Frame | None:
    """Return the document in a frame element; None if it has gone since the row was read."""
    try:
        host = frame.locator(f"{ENGINE}={doc}@e{row.number}!")
        handle = await host.element_handle(timeout=FRAME_MS)
        return await handle.content_frame()
    except DriverError:
        return None
