"""Wrap every command that acts on a page: report its effects and check `--expect`.

The reply of an action includes its effects. This wrapper does that for all actions; the handlers
only act.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec

from browse.browser.actions.effects import MAX_KEPT, ActionEffects
from browse.browser.actions.expectations import Expectations
from browse.browser.actions.pending import note_pending
from browse.browser.actions.settling import watch_effects
from browse.browser.elements.target import Others
from browse.browser.files.page_download import PageDownload, told
from browse.browser.page.shapes import TreeRow
from browse.browser.reading import frame_text, snapshot
from browse.browser.reading.new_text import ReadText, new_lines
from browse.browser.reading.snapshot_diff import diff_rows
from browse.browser.tabs.refs import parse
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.known_address import is_known, shown_url
from browse.guard.secrets import redacted_url
from browse.registry.results import Result, Text
from browse.security.characters import invisible

ALL = "All elements:"
FRAME_GONE = "The selected frame is gone; the main document is selected again"
WAITS = "`browse wait --navigation` waits for it"
MAX_PENDING = 3
MAX_URL_CHARS = 200
# Of the text that an action has brought, so much is told; a caller who wants more reads it.
MAX_TEXT_LINES = 3
MAX_TEXT_CHARS = 120
# So many lines are compared with the names of all elements, which can be thousands.
MAX_COMPARED = 50


async def act(ctx: Ctx, handler: Callable[[], Awaitable[Result]], values: dict[str, Any]) -> Text:
    """Run an action and report its effects."""
    before = await _View.of(ctx) if values["snapshot"] or ctx.call.looks else None
    began, last = time.time(), ctx.browser.downloads.last
    doc, page = ctx.tab.refs.doc, ctx.tab.page
    expected = await Expectations.begin(ctx.tab, values["expect"])
    async with watch_effects(
        ctx.tab, values["settle"], finds_first=bool(values.get("target"))
    ) as seen:
        # An element is looked for meanwhile: `ctx.find` waits for both before anything is done.
        ctx.effects = seen
        if not values.get("target"):
            await seen.watching
        done = await handler()
        if not isinstance(done, Text):
            raise TypeError("a command that acts returns Text")
        seen.add_done(done.data)
        await expected.glance()
    done = await ctx.check(seen.said) if ctx.check and not seen.is_loading else done
    notes = [FRAME_GONE] if ctx.tab.drop_lost_frame() else []
    await expected.wait(values["within"])
    seen.add_later(came_true=bool(expected.all), navigated=ctx.tab.refs.doc != doc)
    opened = await _opened(ctx, seen)
    kept = await ctx.browser.downloads.shown(last, (page, *seen.popups))
    lines, quotes = _report(seen, opened, ctx.preferred, kept, done.page)
    lines += [*await _closed(ctx, seen), *ctx.blocked(ctx.tab, began), *notes]
    facts = {**_preferences(ctx), **done.data, **_facts(ctx, seen, opened), "downloads": told(kept)}
    facts["page"] |= done.data.get("page", {})
    if before and not seen.is_loading:
        shown = await _look_again(ctx, before, seen.alerts)
        facts["page"]["difference"] = shown.changed
        lines += shown.notes if not seen.is_empty or shown.rows else []
        quotes += map(invisible.visible, shown.rows)
    lines.insert(0, done.text + _where(ctx, is_new=ctx.tab.refs.doc != doc))
    return Text("\n".join(lines), facts, page="\n".join(quotes), source=ctx.tab.url)


def _preferred(others: Others) -> str:
    more = "1 other matches" if others.count == 1 else f"{others.count} others match"
    return f"{others.ref} was meant; {more} too"


def _preferences(ctx: Ctx) -> dict[str, Any]:
    preferred = [{"ref": it.ref, "others": it.count} for it in ctx.preferred]
    return {"preferred": preferred} if preferred else {}


def _where(ctx: Ctx, *, is_new: bool) -> str:
    """Return where the tab is now, if the caller does not know that."""
    if ctx.tab.closed:
        return ""
    if not is_known(ctx.tab, ctx.call.caller.holder):
        return f" → now at {shown_url(ctx.tab)}"
    return " → loaded again" if is_new else ""


class _View(msgspec.Struct, frozen=True):
    """What `--snapshot` compares: the interactive elements, and the text."""

    tree: snapshot.Snapshot
    text: str

    @classmethod
    async def of(cls, ctx: Ctx) -> "_View":
        options = snapshot.SnapshotOptions(interactive=True)
        tree = await snapshot.take_snapshot(ctx.tab, options)
        text, _ = await frame_text.read_text(ctx.tab.page.main_frame)
        return cls(tree, text)

    def new_text(self, before: "_View") -> list[str]:
        """Return the lines of text that are new and more than names and values of elements."""
        read = ReadText.of(before.text, None, main=False)
        rows = (*self.tree.rows, *self.tree.clickable)
        shown = {words for it in rows for words in (it.name, it.text) if words}
        names = sorted(shown, key=len, reverse=True)
        fresh = new_lines(self.text, read).lines
        lines = [_one_line(it) for it in fresh if not frame_text.is_edge(it)]
        first = [it for it in lines[:MAX_COMPARED] if not _is_made_of(it, names)]
        return first + lines[MAX_COMPARED:]


class _Look(msgspec.Struct, frozen=True):
    """What `--snapshot` adds: all changes as data; the rows to print; our lines about them."""

    changed: list[str]
    rows: list[str]
    notes: list[str]


async def _look_again(ctx: Ctx, view: _View, alerts: list[str]) -> _Look:
    """Compare with the view before the action; print all rows if that is shorter."""
    now = await _View.of(ctx)
    before, after = view.tree, now.tree
    same = before.doc == after.doc
    known = _known(ctx, before)
    changed = diff_rows(known, (*after.rows, *after.clickable), same_document=same)
    whole = after.lines()
    if not same or len("".join([ALL, *whole])) < len("".join(changed)):
        return _Look(changed, whole, [ALL if whole else "No interactive elements"])
    rows, notes = _with_text(changed, now.new_text(view), {_one_line(it) for it in alerts})
    return _Look(rows, rows, notes if rows else ["The snapshot is the same"])


def _known(ctx: Ctx, before: snapshot.Snapshot) -> list[TreeRow]:
    """Return the rows of before the action, without what came after the caller's last snapshot."""
    rows = [*before.rows, *before.clickable]
    last = ctx.tab.last_snapshots.get(ctx.call.caller.holder)
    if not last or last.doc != before.doc or not last.is_whole:
        return rows
    refs = ctx.tab.refs
    return [it for it in rows if not (ref := parse(snapshot.ref_of(it))) or refs.is_shown(ref)]


def _is_made_of(line: str, names: list[str]) -> bool:
    """Check whether a line is only names; the longest come first."""
    for name in names:
        line = line.replace(name, "")
    return not line.strip()


def _with_text(rows: list[str], text: list[str], told: set[str]) -> tuple[list[str], list[str]]:
    """Add the first lines of new text that are told nowhere else; count the others."""
    new = [it for it in text if it not in told]
    shown = [f"+ [text]: {it[:MAX_TEXT_CHARS]}" for it in new[:MAX_TEXT_LINES]]
    more = len(new) - len(shown)
    note = f"{more} more line{'s' if more > 1 else ''} of new text"
    return [*rows, *shown], [note] if more else []


async def _opened(ctx: Ctx, seen: ActionEffects) -> list[int | None]:
    """Return the numbers of the tabs that opened; None for one that closed again."""
    if not seen.popups:
        return []
    tabs = await ctx.tabs()
    held = [await tabs.holding(popup) for popup in seen.popups]
    return [tab.id if tab else None for tab in held]


def _report(
    seen: ActionEffects,
    opened: list[int | None],
    preferred: Sequence[Others] = (),
    kept: Sequence[PageDownload] = (),
    said: str = "",
) -> tuple[list[str], list[str]]:
    lines = [_preferred(it) for it in preferred]
    quotes = [*said.splitlines(), *(it.line for it in preferred)]
    for popup, id in zip(seen.popups, opened, strict=True):
        lines.append(
            f"Tab {id} was opened"
            if id
            else "A tab was opened, and closed again; the current one is the same"
        )
        quotes.append(f"new tab: {popup.url}")
    for asked in seen.dialogs:
        lines.append(f"A dialog ({asked.kind}) was {asked.answer}")
        quotes.append(f"{asked.kind}: {_one_line(asked.message)}")
    for it in kept:
        lines += it.lines()
        quotes.append(it.quote())
    for name in seen.downloads if not kept else ():  # of a browser that is not ours
        lines.append("A download started")
        quotes.append(f"download: {_one_line(name)}")
    lines += _pending(seen)
    quotes += [f"pending: {it}" for it in _requests(seen)]
    quotes += [f"alert: {_one_line(words)}" for words in seen.alerts]
    if seen.errors:
        count = len(seen.errors)
        many = "+" if count == MAX_KEPT else ""
        lines.append(f"{count}{many} console error{'s' if count > 1 else ''}")
        quotes += [f"console: {_one_line(text)}" for text in seen.errors[:5]]
    if seen.loading_unseen:
        lines.append("A link was followed or a form sent; nothing has come of it yet")
    elif seen.ticked:
        lines.append("Nothing changed, except where the page changes by itself")
    elif seen.is_empty:
        lines.append("Nothing changed")
    return lines, quotes


async def _closed(ctx: Ctx, seen: ActionEffects) -> list[str]:
    """Say that the tab is gone, and which one is current now; remember what is pending in it."""
    note_pending(ctx.tab, seen)
    if not seen.closed:
        return []
    now = await (await ctx.tabs()).current(ctx.call.caller)
    return [f"Tab {ctx.tab.id} has closed itself; the current tab is {now.id} now"]


def _pending(seen: ActionEffects) -> list[str]:
    """Say what was sent and is not answered, so that nobody sends it twice."""
    if not seen.pending:
        return []
    if seen.is_loading:
        return [f"Submitted, the answer is pending; do not repeat it: {WAITS}"]
    many = counted(len(seen.pending), "request")
    return [f"{many} still pending: `browse wait --networkidle` waits for the end"]


def _requests(seen: ActionEffects) -> list[str]:
    return [
        f"{it.method} {redacted_url(it.url)[:MAX_URL_CHARS]}" for it in seen.pending[:MAX_PENDING]
    ]


def _one_line(words: str) -> str:
    """Fold page words, so that none of them look like a line of the snapshot below."""
    return " ".join(words.split())


def _facts(ctx: Ctx, seen: ActionEffects, opened: list[int | None]) -> dict[str, Any]:
    return {
        "navigated": seen.navigated,
        "changed": not seen.is_empty,
        "loading": seen.loading_unseen or seen.is_loading,
        "closed": seen.closed,
        "opened": [id for id in opened if id],
        "page": {
            "url": ctx.tab.url,
            "popups": [popup.url for popup in seen.popups],
            "dialogs": [
                {"type": asked.kind, "message": asked.message, "answer": asked.answer}
                for asked in seen.dialogs
            ],
            "downloads": seen.downloads,
            "alerts": seen.alerts,
            "errors": seen.errors[:20],
            "pending": _requests(seen),
        },
    }
