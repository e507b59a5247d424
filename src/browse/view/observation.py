"""What a person does in a tab: addresses, fields that they use, elements that come and go.

Only names are kept, never what was typed.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Any

import msgspec

from browse.browser.page import scripts, signals
from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot import Snapshot, SnapshotOptions, ref_of, take_snapshot
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.core.text import cut
from browse.guard.secrets import redacted_url

MAX_ADDRESSES = 50
MAX_FIELDS = 50
MAX_ELEMENTS = 40
MAX_CHARS = 200
MAX_FRAMES = 20


class Changes(msgspec.Struct):
    """What happened in a tab while a person had it; all of it is page words."""

    addresses: list[str] = msgspec.field(default_factory=list)
    fields: list[str] = msgspec.field(default_factory=list)
    added: list[str] = msgspec.field(default_factory=list)
    removed: list[str] = msgspec.field(default_factory=list)
    is_compared: bool = True  # whether the elements of before are known

    def lines(self) -> list[str]:
        """Describe the changes, a line each."""
        return [
            *(f"went to: {it}" for it in self.addresses),
            *(f"used: {it}" for it in self.fields),
            *_some("+", self.added),
            *_some("-", self.removed),
        ]

    def facts(self) -> dict[str, Any]:
        """Return the changes as data."""
        return {
            "addresses": self.addresses,
            "fields": self.fields,
            "added": self.added,
            "removed": self.removed,
        }


class Observation:
    """Notes what happens in one tab, from `begin` to `end`."""

    def __init__(self, tab: Tab, on_popup: Callable[[Any], None] = lambda _: None) -> None:
        self._tab = tab
        self._page = tab.page
        self._on_popup = on_popup
        self._changes = Changes()
        self._before: Snapshot | None = None
        self._ending = ExitStack()
        self._token = ""

    def begin(self) -> None:
        """Start to listen."""
        page = self._page
        self._token = self._ending.enter_context(signals.hearing(page, self._on_signal))
        for event, hear in self._listeners():
            page.on(event, hear)
        spawn(self._tell_fields(on=True), name=f"tab {self._tab.id}: fields that a person uses")

    def _listeners(self) -> list[tuple[Any, Callable[[Any], None]]]:
        return [
            ("framenavigated", self._on_navigated),
            ("domcontentloaded", self._on_document),
            ("popup", self._on_popup),
        ]

    async def remember(self) -> None:
        """Keep which elements there are now; a page that does not answer has none that are known.

        The caller has the tab's lock.
        """
        with suppress(BrowseError):
            self._before = await take_snapshot(
                self._tab, SnapshotOptions(interactive=True, looking=True)
            )

    def end(self) -> None:
        """Stop to listen."""
        for event, hear in self._listeners():
            self._page.remove_listener(event, hear)
        spawn(self._tell_fields(on=False), name=f"tab {self._tab.id}: no more fields")
        self._ending.close()

    def compared(self, now: Snapshot) -> Changes:
        """Return what happened, compared with the elements that there are now."""
        changes = self._changes
        if self._before is None:
            changes.is_compared = False
            return changes
        old, new = _rows(self._before), _rows(now)
        keys = _by_ref if self._before.doc == now.doc else _by_name
        changes.added = [_named(row) for row in _missing(new, old, keys)]
        changes.removed = [_named(row) for row in _missing(old, new, keys)]
        return changes

    def noted(self) -> Changes:
        """Return what happened, without the elements."""
        return self._changes

    def _on_signal(self, signal: signals.PageSignal) -> None:
        kind, _, words = signal.word.partition(" ")
        if kind != "field" or len(self._changes.fields) >= MAX_FIELDS:
            return
        role, name = json.loads(words)
        line = f'[{role}] "{cut(" ".join(name.split()), MAX_CHARS)}"'
        if line not in self._changes.fields:
            self._changes.fields.append(line)

    def _on_navigated(self, frame: Any) -> None:
        url = cut(redacted_url(frame.url), MAX_CHARS)
        kept = self._changes.addresses
        if frame.parent_frame is None and kept[-1:] != [url]:
            kept.append(url)
            del kept[:-MAX_ADDRESSES]

    def _on_document(self, _: Any) -> None:
        spawn(self._tell_fields(on=True), name=f"tab {self._tab.id}: fields of a new document")

    async def _tell_fields(self, *, on: bool) -> None:
        for frame in self._page.frames[:MAX_FRAMES]:
            with suppress(BrowseError):  # the frame is gone, or its page does not answer
                await scripts.TELL_FIELDS(frame, token=self._token, on=on)


def _rows(taken: Snapshot) -> list[TreeRow]:
    return [*taken.rows, *taken.clickable]


def _by_ref(row: TreeRow) -> str:
    return ref_of(row) or _by_name(row)


def _by_name(row: TreeRow) -> str:
    return f"{row.role} {row.name}"


def _missing(
    these: Sequence[TreeRow], those: Sequence[TreeRow], key: Callable[[TreeRow], str]
) -> list[TreeRow]:
    """Return the rows that the other list does not have."""
    left = Counter(map(key, those))
    missing = []
    for row in these:
        if left[key(row)] > 0:
            left[key(row)] -= 1
        else:
            missing.append(row)
    return missing


def _named(row: TreeRow) -> str:
    """Describe an element by role and name: never by the value in it."""
    name = f' "{cut(row.name, MAX_CHARS)}"' if row.name else ""
    return f"{ref_of(row)} [{row.role}]{name}".strip()


def _some(sign: str, elements: Sequence[str]) -> list[str]:
    more = len(elements) - MAX_ELEMENTS
    shown = [f"{sign} {it}" for it in elements[:MAX_ELEMENTS]]
    return [*shown, f"{sign} … and {more} more"] if more > 0 else shown
