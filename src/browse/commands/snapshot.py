"""`snapshot`: the accessibility tree of a page, with refs."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Annotated, Any

import msgspec

from browse.browser.page import scripts
from browse.browser.page.shapes import TreeRow
from browse.browser.reading import snapshot as trees
from browse.browser.reading.page_tools import address_of
from browse.browser.reading.snapshot_diff import diff_rows
from browse.browser.tabs.refs import MAX_CALLERS
from browse.browser.visual.annotations import COLOURS, take_annotated
from browse.browser.visual.page_parts import part_files
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath, write_output
from browse.registry.params import Doc, Param, Selector, Surroundings, WriteFile, whole
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, command
from browse.security.characters import invisible

IGNORED = "[warning] -o/--output was ignored: it names the file for -a or -H"
MAX_NAMED = 8
Depth = Annotated[int, whole(0, 10_000)]


def _heat(raw: str, _: Surroundings) -> dict[str, str]:
    try:
        heat = msgspec.json.decode(raw, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise Usage(
            "Invalid heatmap JSON. Expected object: ref to colour",
            hint='write it as \'{"@e1": "green", "@e2": "red"}\'',
        ) from None
    for ref, colour in heat.items():
        if colour not in COLOURS:
            raise Usage(
                f"Invalid heatmap color {colour[:20]!r} for {ref[:20]!r}",
                hint=f"Valid: {', '.join(COLOURS)}",
            )
    return heat


Heat = Annotated[Mapping[str, str], Param("json", _heat)]
FIRST = "(no previous snapshot to diff against — this snapshot stored as baseline)"
GONE = "(too many snapshots since the last one, which was cut — this snapshot stored as baseline)"
OTHER = "(the last snapshot had other flags — this snapshot stored as baseline)"


@command(
    group=Group.SNAPSHOT,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    writes=lambda given: given.get("annotate") or given.get("heatmap") is not None,
    respell=lambda words: [f"--selector={words[0]}"] if len(words) == 1 else words,
    instead={"--filename": "browse snapshot > page.txt"},
)
async def snapshot(
    ctx: Ctx,
    *,
    interactive: Annotated[bool, Doc("Only interactive elements.", short="i")] = False,
    compact: Annotated[bool, Doc("Leave out nodes without name and text.", short="c")] = False,
    depth: Annotated[Depth | None, Doc("Maximum depth of the tree.", short="d")] = None,
    selector: Annotated[
        Selector | None, Doc("Only what is inside this element.", short="s")
    ] = None,
    diff: Annotated[bool, Doc("Only what changed since the last snapshot.", short="D")] = False,
    annotate: Annotated[
        bool, Doc("Also save a screenshot with a box around each ref.", short="a")
    ] = False,
    output: Annotated[WriteFile | None, Doc("The image file for -a or -H.", short="o")] = None,
    cursor_interactive: Annotated[
        bool, Doc("Add clickable elements without a role, as @c refs.", short="C")
    ] = False,
    heatmap: Annotated[
        Heat | None, Doc("Also save a screenshot with these refs coloured.", short="H")
    ] = None,
    hidden: Annotated[bool, Doc("Add hidden text, with the reason why it is hidden.")] = False,
) -> PageText | Text:
    """Print the page's accessibility tree: roles and names, with refs.

    A ref (@e3) belongs to its element until the page is left, and works wherever a selector does.
    -i includes elements that markup or style shows to be clickable; -C also asks the browser which
    elements of the main document have click listeners. -D alone repeats the flags of your last
    snapshot; its lines begin with + (added), - (removed), ~ (changed) or > (moved). It prints all
    where that is shorter. A hint on a control without a name ([hint=trash]: its icon, test id or
    field) is no name, and no selector. If not everything fits into --max-chars, interactive
    elements on screen come first.

    Examples:
        browse snapshot -i
        browse snapshot -s main -d 3
        browse snapshot -D
        browse snapshot -iC --max-chars 4000
        browse snapshot --hidden
        browse snapshot -i -a -o page.png
        browse snapshot -H '{"@e1": "green", "@e2": "red"}'
    """
    options = trees.SnapshotOptions(
        interactive, compact, depth, cursor_interactive, hidden, selector
    )
    last = ctx.tab.last_snapshots.get(ctx.call.caller.holder)
    if diff and last and options == trees.SnapshotOptions():
        options = last.options
    root = await ctx.find(options.selector, anyway=True) if options.selector else None
    before = await _before(ctx, last, options) if diff and last else None
    room = 0 if diff or annotate else ctx.room
    taken = await trees.take_when_there(ctx.tab, options, root, ctx.patience, room=room)
    rows = (*taken.rows, *taken.clickable)
    _keep(ctx, trees.PreviousSnapshot(taken.doc, options, rows, taken.cut))
    notes = await _pictures(ctx, rows, output, annotate=annotate, heat=heatmap)
    if last and before is not None:
        same = last.doc == taken.doc
        changed = diff_rows(before, rows, same_document=same)
        return _changes(ctx, changed, taken, notes, same_document=same)
    if diff:
        notes.append(_no_baseline(last, options))
    if taken.tools:
        notes += await _about_tools(ctx, taken.tools)
    return _tree(ctx, options, taken, notes)


async def _before(
    ctx: Ctx, last: trees.PreviousSnapshot, options: trees.SnapshotOptions
) -> Sequence[TreeRow] | None:
    """Return the rows of the last snapshot; None if there is nothing to compare with."""
    if last.options != options:
        return None
    # Of a document that was left, only what was shown is known.
    return await last.cut.rows() if last.cut and last.doc == ctx.tab.refs.doc else last.rows


async def _about_tools(ctx: Ctx, count: int) -> list[str]:
    """Say that the page offers tools; the first snapshot of a document asks how many."""
    if count < 0:
        count = await scripts.TOOL_COUNT(ctx.tab.frame)
    if count < 1 or not (await ctx.tool_pages())(address_of(ctx.tab.frame)):
        return []
    return [f"[the page offers {counted(count, 'tool')} to agents: `browse tools`]"]


def _no_baseline(last: trees.PreviousSnapshot | None, options: trees.SnapshotOptions) -> str:
    if last is None:
        return FIRST
    return GONE if last.options == options else OTHER


def _keep(ctx: Ctx, taken: trees.PreviousSnapshot) -> None:
    """Keep a snapshot for the caller's next -D."""
    kept = ctx.tab.last_snapshots
    kept.pop(ctx.call.caller.holder, None)
    kept[ctx.call.caller.holder] = taken
    for oldest in list(kept)[:-MAX_CALLERS]:
        del kept[oldest]


def _tree(
    ctx: Ctx, options: trees.SnapshotOptions, taken: trees.Snapshot, notes: list[str]
) -> PageText:
    kind = "interactive" if options.interactive else "accessible"
    lines, ranks = (
        taken.lines() or [f"(no {kind} elements found)"],
        taken.ranks() or [trees.FIRST_RANK],
    )
    if ctx.tab.in_frame:
        lines.insert(0, f'[Context: iframe src="{ctx.tab.frame.url}"]')
        ranks.insert(0, trees.FIRST_RANK)
    shown = "\n".join(lines)
    return PageText(
        invisible.visible(shown),
        ctx.tab.url,
        _data(ctx, taken) | ({"notes": notes} if notes else {}),
        ranks,
        "\n".join(notes),
        [*taken.hidden, *invisible.blocks(shown)],
        more=taken.more,
    )


def _data(ctx: Ctx, taken: trees.Snapshot) -> dict[str, Any]:
    """Return the tree as data, if it is asked for: of a large page that takes its time."""
    if not ctx.json:
        return from_page(url=ctx.tab.url)
    nodes = {"nodes": _nodes(taken), "hidden": _unseen(taken)}
    return from_page(url=ctx.tab.url, **invisible.cleaned(nodes))


def _changes(
    ctx: Ctx,
    changed: list[str],
    taken: trees.Snapshot,
    notes: list[str],
    *,
    same_document: bool,
) -> PageText | Text:
    """Reply with what changed; with the whole tree where that is shorter."""
    whole = taken.lines()
    same = len(taken.rows) + len(taken.clickable)
    same -= sum(not line.startswith("-") for line in changed)
    shorter = not same_document or sum(map(len, whole)) < sum(map(len, changed))
    kind = f"({counted(same, 'line')} as before)"
    if shorter:
        reason = "the changes are longer" if same_document else "this is another document"
        kind = f"(all of it: {reason})"
    notes = [*notes, kind if changed else "(nothing changed)"]
    data = from_page(url=ctx.tab.url, difference=changed) | {"notes": notes}
    if not changed:
        return Text("\n".join(notes), data)
    shown = invisible.visible("\n".join(whole if shorter else changed))
    return PageText(shown, ctx.tab.url, data, note="\n".join(notes))


async def _pictures(
    ctx: Ctx,
    rows: Sequence[TreeRow],
    output: WritePath | None,
    *,
    annotate: bool,
    heat: Mapping[str, str] | None,
) -> list[str]:
    """Save the requested images; return notes on where they are."""
    if not annotate and heat is None:
        return [IGNORED] if output else []
    notes: list[str] = []
    if annotate:
        refs = {ref: "red" for row in rows if (ref := trees.ref_of(row))}
        ctx.tab.refs.show({ref: row for row in rows if (ref := trees.ref_of(row))})
        path = output or ctx.output("browse-annotated.png")
        notes += await _picture(ctx, refs, path, "annotated")
    if heat is not None:
        path = (not annotate and output) or ctx.output("browse-heatmap.png")
        notes += await _picture(ctx, heat, path, "heatmap")
    return notes


async def _picture(ctx: Ctx, refs: Mapping[str, str], path: WritePath, kind: str) -> list[str]:
    drawn = await take_annotated(ctx.tab, refs)
    files = part_files(path, len(drawn.parts))
    for file, data in zip(files, drawn.parts, strict=True):
        await asyncio.to_thread(write_output, file, data)
    last = f" … {PurePath(files[-1].real).name}" if files[1:] else ""
    notes = [f"[{kind} screenshot: {files[0].real}{last}]"]
    if drawn.skipped:
        more = len(drawn.skipped) - MAX_NAMED
        named = ", ".join(drawn.skipped[:MAX_NAMED]) + (f" +{more} more" if more > 0 else "")
        notes.append(f"[{kind}: {len(drawn.skipped)} skipped: {named}]")
    return notes


def _nodes(taken: trees.Snapshot) -> list[dict[str, Any]]:
    return [
        {
            "ref": trees.ref_of(row),
            "depth": row.depth,
            "role": row.role,
            "name": row.name,
            "marks": row.marks,
            "text": row.text,
            "context": row.context,
            "onScreen": bool(row.flags & trees.ON_SCREEN),
        }
        for row in (*taken.rows, *taken.clickable)
    ]


def _unseen(taken: trees.Snapshot) -> list[dict[str, str]]:
    return [{"role": it.where, "reason": it.reason, "text": it.text} for it in taken.unseen]
