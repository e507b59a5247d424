"""Seeing a page as a tree with refs."""

from typing import Annotated, Any

from browse.browser import snapshot as trees
from browse.browser.target import find
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector, whole
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command

Depth = Annotated[int, whole(0, 10_000)]


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
) -> PageText:
    """Print the page as a tree of roles and names with refs.

    A ref (@e3) stays with its element for as long as the page lives, and can be used wherever a
    selector is taken.

    Examples:
        browse snapshot -i
        browse snapshot -s main -d 3
    """
    options = trees.Options(interactive=interactive, compact=compact, depth=depth)
    if selector:
        root = await find(ctx.tab, selector, anyway=True)
        taken = await trees.take(ctx.tab, root.place, root.frame, options)
    else:
        taken = await trees.take(ctx.tab, ctx.tab.frame, ctx.tab.frame, options)
    empty = "(no interactive elements found)" if interactive else "(no accessible elements found)"
    return PageText(
        "\n".join(taken.lines()) or empty,
        ctx.tab.url,
        from_page(url=ctx.tab.url, nodes=_nodes(taken)),
    )


def _nodes(taken: trees.Snapshot) -> list[dict[str, Any]]:
    return [
        {
            "ref": trees.ref_of(row),
            "depth": row.depth,
            "role": row.role,
            "name": row.name,
            "marks": row.marks,
            "text": row.text,
        }
        for row in taken.rows
    ]
