"""Seeing a page as a tree with refs."""

from typing import Annotated, Any

from browse.browser import snapshot as trees
from browse.browser.compare import difference
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector, whole
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command

Depth = Annotated[int, whole(0, 10_000)]
FIRST = "(no previous snapshot to diff against — this snapshot stored as baseline)"
OTHER = "(the last snapshot had other flags — this snapshot stored as baseline)"


@command(group=Group.SNAPSHOT, scope=Scope.READ, surfaces=ANYWHERE)
async def snapshot(
    ctx: Ctx,
    *,
    interactive: Annotated[bool, Doc("Only what can be operated.", short="i")] = False,
    compact: Annotated[bool, Doc("Leave out nodes without a name and text.", short="c")] = False,
    depth: Annotated[Depth | None, Doc("Leave out what is nested deeper.", short="d")] = None,
    selector: Annotated[
        Selector | None, Doc("Only what is inside this element.", short="s")
    ] = None,
    diff: Annotated[bool, Doc("Only what changed since the last snapshot.", short="D")] = False,
    cursor_interactive: Annotated[
        bool, Doc("Add what can be pressed although it has no role, as @c refs.", short="C")
    ] = False,
    hidden: Annotated[bool, Doc("Add the words that a person cannot see, and why.")] = False,
) -> PageText:
    """Print the page as a tree of roles and names with refs.

    A ref (@e3) stays with its element for as long as the page lives, and can be used wherever a
    selector is taken. -i includes what can be told to be clickable from markup and style; -C also
    asks the browser which elements of the main document scripts listen on. -D alone repeats the
    flags of the last snapshot. When not all fits into --max-chars, what is on screen and can be
    operated comes first.

    Examples:
        browse snapshot -i
        browse snapshot -s main -d 3
        browse snapshot -D
        browse snapshot -iC --max-chars 4000
        browse snapshot --hidden
    """
    options = trees.Options(interactive, compact, depth, cursor_interactive, hidden, selector)
    last = ctx.tab.last_snapshot
    if diff and last and options == trees.Options():
        options = last.options
    taken = await trees.take(ctx.tab, options)
    rows = (*taken.rows, *taken.clickable)
    ctx.tab.last_snapshot = trees.Taken(options, rows)
    if diff and last and last.options == options:
        return _changes(ctx, difference(last.rows, rows), len(rows))
    return _tree(ctx, options, taken, (OTHER if last else FIRST) if diff else "")


def _tree(ctx: Ctx, options: trees.Options, taken: trees.Snapshot, note: str) -> PageText:
    lines, ranks = taken.lines(), taken.ranks()
    if not lines:
        kind = "interactive" if options.interactive else "accessible"
        lines, ranks = [f"(no {kind} elements found)"], [trees.SOONEST]
    if note:
        lines, ranks = [*lines, "", note], [*ranks, trees.SOONEST, trees.SOONEST]
    data = from_page(url=ctx.tab.url, nodes=_nodes(taken), hidden=_unseen(taken))
    return PageText("\n".join(lines), ctx.tab.url, data, ranks)


def _changes(ctx: Ctx, changed: list[str], total: int) -> PageText:
    same = total - sum(not line.startswith("-") for line in changed)
    text = "\n".join(
        [
            "--- previous snapshot",
            "+++ current snapshot",
            "",
            *(changed or ["(nothing changed)"]),
            f"({same} lines are as they were)",
        ]
    )
    return PageText(text, ctx.tab.url, from_page(url=ctx.tab.url, difference=changed))


def _nodes(taken: trees.Snapshot) -> list[dict[str, Any]]:
    return [
        {
            "ref": trees.ref_of(row),
            "depth": row.depth,
            "role": row.role,
            "name": row.name,
            "marks": row.marks,
            "text": row.text,
            "onScreen": bool(row.flags & trees.ON_SCREEN),
        }
        for row in (*taken.rows, *taken.clickable)
    ]


def _unseen(taken: trees.Snapshot) -> list[dict[str, str]]:
    return [{"role": it.where, "reason": it.reason, "text": it.text} for it in taken.unseen]
