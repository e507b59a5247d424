"""The accessibility tree of a tab, frames included, as rows to print and cut."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator

from browse.browser.elements.closed_shadow import introduce
from browse.browser.elements.event_listeners import Path, listening
from browse.browser.elements.target import find
from browse.browser.page import scripts
from browse.browser.page.shapes import HiddenLine, TreeRow
from browse.browser.reading.hidden_text import blocks
from browse.browser.tabs.tab import Tab
from browse.security.blocks import Block

# Flags of a row, as js/entry/reading/snapshot.js sets them.
ON_SCREEN, INTERACTIVE, FRAME, CURSOR = 1, 2, 4, 8
FRAME_MS = 1000
CLICKABLE_HEADING = "── cursor-interactive (not in ARIA tree) ──"
# Which custom elements are asked about before a document is read: closed roots may hold more.
ASKED = ("all", "new", "new", "none")
# How soon a line is shown when not all fit: what is on screen and can be operated comes first.
SOONEST, LAST = 0, 4


def ref_of(row: TreeRow) -> str:
    """Spell a row's ref: `@e12`, or `@c3` for what has no role; "" for bare text."""
    if not row.number:
        return ""
    return f"@{'c' if row.flags & CURSOR else 'e'}{row.number}"


def content(row: TreeRow) -> str:
    """Spell a row without its indentation."""
    ref = ref_of(row)
    return f"{ref} {said(row)}" if ref else said(row)


def said(row: TreeRow) -> str:
    """Spell what a row says, without its ref."""
    parts = [f"[{row.role}]"]
    if row.name:
        parts.append('"' + row.name.replace("\\", "\\\\").replace('"', '\\"') + '"')
    if row.marks:
        parts.append(row.marks)
    return " ".join(parts) + (f": {row.text}" if row.text else "")


@dataclass(frozen=True, slots=True)
class Options:
    """What of the tree is wanted."""

    interactive: bool = False
    compact: bool = False
    depth: int | None = None
    cursor: bool = False
    hidden: bool = False
    selector: str | None = None
    refs: bool = True

    @property
    def clickable(self) -> bool:
        """Whether things without a role that can be pressed are wanted as well."""
        return self.interactive or self.cursor


@dataclass(frozen=True, slots=True)
class Taken:
    """What a snapshot showed, kept to compare the next one with."""

    options: Options
    rows: tuple[TreeRow, ...]


@dataclass(slots=True)
class Snapshot:
    """The tree of a tab at one moment."""

    rows: list[TreeRow] = field(default_factory=list)
    clickable: list[TreeRow] = field(default_factory=list)
    unseen: list[HiddenLine] = field(default_factory=list)
    hidden: list[Block] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Spell the tree, then what else can be pressed, then what a person cannot see."""
        tree = ["  " * row.depth + content(row) for row in self.rows]
        pressed = [content(row) for row in self.clickable]
        heading = ["", CLICKABLE_HEADING] if pressed else []
        return tree + heading + pressed + [_hidden(it) for it in self.unseen]

    def ranks(self) -> list[int]:
        """Tell for each line how soon it is shown when not all of them fit."""
        heading = [min(map(_rank, self.clickable))] * 2 if self.clickable else []
        rows = [_rank(row) for row in self.rows]
        return rows + heading + [_rank(row) for row in self.clickable] + [LAST] * len(self.unseen)


def _rank(row: TreeRow) -> int:
    here, operated = row.flags & ON_SCREEN, row.flags & INTERACTIVE
    return SOONEST + (0 if here and operated else 1 if here else 2 if operated else 3)


def _hidden(it: HiddenLine) -> str:
    return f"hidden ({it.reason}) [{it.where}]: {it.text}"


async def take(tab: Tab, options: Options) -> Snapshot:
    """Read the tree of the tab's document or of one element, and of the frames in it."""
    place: Frame | Locator = tab.frame
    frame = tab.frame
    if options.selector:
        root = await find(tab, options.selector, anyway=True)
        place, frame = root.place, root.frame
    snapshot = Snapshot()
    heard = await listening(tab) if options.cursor and frame is tab.page.main_frame else []
    await _read(tab, place, frame, options, snapshot, 0, heard)
    return snapshot


async def _read(
    tab: Tab,
    place: Frame | Locator,
    frame: Frame,
    options: Options,
    into: Snapshot,
    depth: int,
    heard: Sequence[Path] = (),
) -> None:
    for ask in ASKED:
        part, concealed = await scripts.SNAPSHOT.read(
            place,
            evidence=not options.interactive,
            e=tab.refs.next["e"],
            c=tab.refs.next["c"],
            interactive=options.interactive,
            compact=options.compact,
            depth=None if options.depth is None else options.depth - depth,
            cursor=options.clickable,
            listening=heard,
            hidden=options.hidden,
            refs=options.refs,
            ask=ask,
        )
        if not part.waiting:
            break
        await introduce(frame)
    tab.refs.claim("e", frame, part.next.e)
    tab.refs.claim("c", frame, part.next.c)
    into.unseen += part.hidden
    into.hidden += blocks(concealed or part.misleading)
    for row in part.rows:
        if row.flags & CURSOR:
            into.clickable.append(row)
            continue
        row.depth += depth
        into.rows.append(row)
        if row.flags & FRAME and (child := await _inside(frame, row)):
            await _read_child(tab, child, options, into, row)
        if not options.refs:
            row.number = 0


async def _read_child(
    tab: Tab, child: Frame, options: Options, into: Snapshot, host: TreeRow
) -> None:
    """Add a frame's tree under its host; `-i` leaves out a host with nothing of interest."""
    rows, pressed = len(into.rows), len(into.clickable)
    await _read(tab, child, child, options, into, host.depth + 1)
    if not host.flags & ON_SCREEN:
        for row in (*into.rows[rows:], *into.clickable[pressed:]):
            row.flags &= ~ON_SCREEN
    if options.interactive and len(into.rows) == rows:
        into.rows.remove(host)


async def _inside(frame: Frame, row: TreeRow) -> Frame | None:
    """Find the document inside a frame's host; it may have gone since the row was read."""
    try:
        handle = await frame.locator(f"{scripts.ENGINE}=@e{row.number}!").element_handle(
            timeout=FRAME_MS
        )
        return await handle.content_frame()
    except DriverError:
        return None
