"""Search a snapshot for words: in roles, names, texts, values and some attributes."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from browse.browser.page import scripts
from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot import (
    CURSOR,
    INTERACTIVE,
    ON_SCREEN,
    Snapshot,
    SnapshotOptions,
    ref_of,
    take_snapshot,
)
from browse.browser.tabs.refs import parse
from browse.browser.tabs.tab import Tab
from browse.core.text import cut
from browse.guard.credentials import SEALED

MAX_TEXT_CHARS = 160
MAX_AROUND_CHARS = 60
MAX_AROUND = 2
MAX_BEFORE = 2
MAX_INSIDE = 10
# As long are the names of clickable elements that were cut (`clickable.js`).
CUT_NAME_CHARS = 80
# Rows that are called by what is in them.
ITEMS = ("row", "listitem", "article", "group", "treeitem", "gridcell")
# Attributes are read of so many elements at most.
MAX_ASKED = 20_000
# What people call roles.
ROLES = {
    "field": "textbox",
    "input": "textbox",
    "dropdown": "combobox",
    "select": "combobox",
    "image": "img",
    "title": "heading",
    "menu": "menuitem",
}
WHOLE, PART = 1.0, 0.7  # a word of its own, or part of one
NAME, ROLE, TEXT, ATTRIBUTE, AROUND = 6.0, 3.0, 4.0, 2.0, 1.0
SAME, BEGINS, CONTAINS = 20.0, 8.0, 5.0
OPERATED, SEEN = 2.0, 1.0
_WORD = re.compile(r"\w+")
_HINT = re.compile(r"\[hint=([\w.-]+)\]")


class Hit(msgspec.Struct):
    """A row of a snapshot that was looked at: where it is, and how well it matches."""

    row: TreeRow
    around: tuple[TreeRow, ...]  # what it is in, the innermost first
    before: str = ""  # the text right before it, for what is in nothing that has a name
    inside: Mapping[int, Sequence[str]] = msgspec.field(default_factory=dict)  # the words in items
    attributes: Mapping[str, str] = msgspec.field(default_factory=dict)
    matched: int = 0  # how many of the words
    score: float = 0.0
    own: bool = True  # whether it matches by what it says itself, and not only by what is beside it

    @property
    def ref(self) -> str:
        return ref_of(self.row)


class Search(msgspec.Struct, frozen=True):
    """What was found, the best first, and the snapshot that it was found in."""

    hits: list[Hit]
    whole: bool  # whether all words were found, or only some
    snapshot: Snapshot


async def search(tab: Tab, words: Sequence[str], *, role: str, interactive: bool) -> Search:
    """Search the tab, frames included; refs that are not confirmed stay as they were shown."""
    options = SnapshotOptions(interactive=interactive, cursor=True, looking=True, options=True)
    taken = await take_snapshot(tab, options)
    hits = [hit for hit in _rows(taken) if not role or hit.row.role == ROLES.get(role, role)]
    await _read_attributes(tab, taken.doc, hits)
    for hit in hits:
        rate(hit, [word.lower() for word in words])
    best = max((hit.matched for hit in hits), default=0)
    if (words and best * 2 < len(words)) or not hits:
        return Search([], False, taken)
    kept = _innermost([hit for hit in hits if hit.matched == best])
    kept.sort(key=lambda hit: -hit.score)  # those that match equally well stay in page order
    return Search(kept, best == len(words), taken)


async def confirm(tab: Tab, doc: int, hits: Sequence[Hit]) -> None:
    """Count these rows as shown, so that their refs mean what they are called now."""
    by_frame: dict[int, list[tuple[str, int]]] = {}
    frames = {}
    for hit in hits:
        ref = parse(hit.ref)
        frame = tab.refs.frame_of(ref) if ref else None
        if ref and frame:
            frames[id(frame)] = frame
            by_frame.setdefault(id(frame), []).append((ref.kind, ref.number))
    for key, refs in by_frame.items():
        await scripts.CONFIRM_REFS(frames[key], doc=doc, refs=refs)


def rate(hit: Hit, words: Sequence[str]) -> None:
    """Count the words that a row matches, and score how well."""
    row, phrase = hit.row, " ".join(words)
    name, text = row.name.lower(), row.text.lower()
    attributes = " ".join([*hit.attributes.values(), *_HINT.findall(row.marks)]).lower()
    places = ((name, NAME), (text, TEXT), (attributes, ATTRIBUTE))
    points = [max(_point(word, place) * weight for place, weight in places) for word in words]
    points = [
        max(point, ROLE if row.role in (word, ROLES.get(word)) else 0.0)
        for word, point in zip(words, points, strict=True)
    ]
    hit.own = any(points) or not words
    beside = row.context.lower()
    points = [
        point or AROUND * _point(word, beside) for word, point in zip(words, points, strict=True)
    ]
    if words and not any(points):
        return
    if not all(points):
        around = " ".join([hit.before, *(_called(hit, it) for it in hit.around)]).lower()
        points = [
            point or AROUND * _point(word, around)
            for word, point in zip(words, points, strict=True)
        ]
    hit.matched = sum(point > 0 for point in points)
    hit.score = sum(points) + _bonus(name, phrase) + (CONTAINS if phrase in text else 0.0) / 2
    hit.score += OPERATED * bool(row.flags & INTERACTIVE) + SEEN * bool(row.flags & ON_SCREEN)
    hit.score -= len(name) / 200


def _bonus(name: str, phrase: str) -> float:
    if not phrase or phrase not in name:
        return 0.0
    return SAME if name == phrase else BEGINS if name.startswith(phrase) else CONTAINS


def _point(word: str, place: str) -> float:
    if word not in place:
        return 0.0
    return WHOLE if word in _WORD.findall(place) else PART


def _rows(taken: Snapshot) -> list[Hit]:
    hits: list[Hit] = []
    above: list[TreeRow] = []
    inside: dict[int, list[str]] = {}
    said: list[str] = []
    for row in taken.rows:
        while above and above[-1].depth >= row.depth:
            above.pop()
        hits.append(Hit(row, tuple(reversed(above)), " ".join(said), inside))
        words = row.name or row.text
        for item in above:
            if item.role in ITEMS and len(its := inside.setdefault(id(item), [])) < MAX_INSIDE:
                its.append(words)
        above.append(row)
        said = [] if row.flags & INTERACTIVE else [*said, words][-MAX_BEFORE:]
    return hits + [Hit(row, ()) for row in taken.clickable]


def _innermost(hits: list[Hit]) -> list[Hit]:
    """Leave out what matches only because something in it does, and the bare text of the rest."""
    within = [hit.around for hit in hits if hit.own]
    outer = {id(row) for around in within for row in around if not row.flags & INTERACTIVE}
    named = {hit.row.name for hit in hits if hit.ref}
    return [
        hit
        for hit in hits
        if id(hit.row) not in outer
        and (hit.ref or hit.row.text not in named)
        and not (_is_container(hit.row) and _holds_one_of(hit.row.name, named))
    ]


def _holds_one_of(name: str, others: set[str]) -> bool:
    return any(it and it != name and it in name for it in others)


def _is_container(row: TreeRow) -> bool:
    """Check whether a row without a role is a large part of the page, by its cut name."""
    return bool(row.flags & CURSOR) and len(row.name) >= CUT_NAME_CHARS


async def _read_attributes(tab: Tab, doc: int, hits: Sequence[Hit]) -> None:
    """Read the attributes of what can be operated, and of images, frame by frame."""
    asked: dict[int, list[Hit]] = {}
    frames = {}
    for hit in hits:
        if not hit.row.number or hit.row.flags & CURSOR:
            continue
        if not hit.row.flags & INTERACTIVE and hit.row.role != "img":
            continue
        ref = parse(hit.ref)
        if ref and (frame := tab.refs.frame_of(ref)):
            frames[id(frame)] = frame
            asked.setdefault(id(frame), []).append(hit)
    for key, its in asked.items():
        numbers = [hit.row.number for hit in its[:MAX_ASKED]]
        said = await scripts.NAMING_ATTRIBUTES(frames[key], doc=doc, numbers=numbers)
        for hit, attributes in zip(its, said, strict=False):
            hit.attributes = attributes


def excerpt(text: str, words: Sequence[str]) -> str:
    """Cut a long text to the part around the first word that was looked for."""
    text = SEALED.masked(text)  # before it is cut: the end of a secret is not recognised
    places = [at for word in words if (at := text.lower().find(word.lower())) >= 0]
    start = max(0, min(places, default=0) - MAX_TEXT_CHARS // 3)
    return ("…" if start else "") + cut(text[start:], MAX_TEXT_CHARS)


def matching_attribute(hit: Hit, words: Sequence[str]) -> tuple[str, str] | None:
    """Return the attribute that a word was found in, if it is nowhere in the row itself."""
    row = f"{hit.row.role} {hit.row.name} {hit.row.text}".lower()
    for word in words:
        if word.lower() in row:
            continue
        for name, value in hit.attributes.items():
            if word.lower() in value.lower():
                return name, value
    return None


def surroundings(hit: Hit) -> str:
    """Say where a row is: in the innermost rows with a name, else what tells it from its like."""
    named = [(row.role, name) for row in hit.around if (name := _called(hit, row))]
    if named:
        inside = (f'[{role}] "{cut(name, MAX_AROUND_CHARS)}"' for role, name in named[:MAX_AROUND])
        return f"in {' in '.join(inside)}"
    if hit.row.context:
        return f'in "{hit.row.context}"'
    before = hit.before.strip()
    return f'after "{before[-MAX_AROUND_CHARS:]}"' if before and hit.ref else ""


def _called(hit: Hit, row: TreeRow) -> str:
    """Return what a row around a hit is called, if that says more than the hit itself."""
    if row.name:
        return "" if row.name == hit.row.name else row.name
    others = (word for word in hit.inside.get(id(row), ()) if word not in ("", hit.row.name))
    return " ".join(dict.fromkeys(others))
