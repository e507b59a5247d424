"""The accessibility tree of a tab, frames included, as rows to print, cut and compare."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator

from browse.browser import scripts
from browse.browser.scripts import Row, Unseen
from browse.browser.tab import Tab

ON_SCREEN, INTERACTIVE, FRAME, CURSOR = 1, 2, 4, 8
FRAME_MS = 1000


def ref_of(row: Row) -> str:
    """Spell a row's ref: `@e12`, or `@c3` for what has no role; "" for bare text."""
    if not row.number:
        return ""
    return f"@{'c' if row.flags & CURSOR else 'e'}{row.number}"


def content(row: Row) -> str:
    """Spell a row without its indentation."""
    parts = [ref_of(row), f"[{row.role}]"] if row.number else [f"[{row.role}]"]
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


@dataclass(slots=True)
class Snapshot:
    """The tree of a tab at one moment."""

    rows: list[Row] = field(default_factory=list)
    unseen: list[Unseen] = field(default_factory=list)
    hidden_count: int = 0

    def lines(self) -> list[str]:
        return ["  " * row.depth + content(row) for row in self.rows]


async def take(tab: Tab, place: Frame | Locator, frame: Frame, options: Options) -> Snapshot:
    """Read the tree of a document or of one element, and of the frames in it."""
    snapshot = Snapshot()
    await _read(tab, place, frame, options, snapshot, 0)
    return snapshot


async def _read(
    tab: Tab, place: Frame | Locator, frame: Frame, options: Options, into: Snapshot, depth: int
) -> None:
    part = await scripts.SNAPSHOT(
        place,
        e=tab.refs.next["e"],
        c=tab.refs.next["c"],
        interactive=options.interactive,
        compact=options.compact,
        depth=None if options.depth is None else options.depth - depth,
        cursor=options.cursor,
        hidden=options.hidden,
    )
    tab.refs.claim("e", frame, part.next.e)
    tab.refs.claim("c", frame, part.next.c)
    into.unseen += part.unseen
    into.hidden_count += part.hidden_count
    for row in part.rows:
        row.depth += depth
        into.rows.append(row)
        if row.flags & FRAME and (child := await _inside(frame, row)):
            await _read_child(tab, child, options, into, row)


async def _read_child(tab: Tab, child: Frame, options: Options, into: Snapshot, host: Row) -> None:
    """Add a frame's tree under its host; `-i` leaves out a host with nothing of interest."""
    before = len(into.rows)
    await _read(tab, child, child, options, into, host.depth + 1)
    if options.interactive and len(into.rows) == before:
        into.rows.remove(host)


async def _inside(frame: Frame, row: Row) -> Frame | None:
    """Find the document inside a frame's host; it may have gone since the row was read."""
    try:
        handle = await frame.locator(f"{scripts.ENGINE}=@e{row.number}!").element_handle(
            timeout=FRAME_MS
        )
        return await handle.content_frame()
    except DriverError:
        return None


def difference(before: Iterable[Row], after: Iterable[Row]) -> list[str]:
    """Compare by ref and content: an inserted row is one added line, a renamed one is - and +."""
    old, new = list(before), list(after)
    lines: list[str] = []
    matcher = difflib.SequenceMatcher(
        None, [_key(row) for row in old], [_key(row) for row in new], autojunk=False
    )
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            for one, two in zip(old[i1:i2], new[j1:j2], strict=True):
                if content(one) != content(two):
                    lines += [f"- {content(one)}", f"+ {content(two)}"]
            continue
        lines += [f"- {content(row)}" for row in old[i1:i2]]
        lines += [f"+ {content(row)}" for row in new[j1:j2]]
    return lines


def _key(row: Row) -> str:
    return ref_of(row) or content(row)
