"""`expand`: open a tree to an item."""

from typing import Annotated

from browse.browser.actions.widgets.trees import Tree
from browse.browser.page.branches import Branch
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Param, Selector, Surroundings
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, command

SEPARATORS = (" > ", "/")
MAX_PARTS = 50


def _parts(raw: str, _: Surroundings) -> list[str]:
    separator = next((it for it in SEPARATORS if it in raw), "/")
    parts = [it.strip() for it in raw.strip().strip("/").split(separator)]
    if not all(parts) or len(parts) > MAX_PARTS:
        raise Usage(
            "a path is names with a slash between them, or with ' > '",
            hint="browse expand src/browse/page",
        )
    return parts


Path = Annotated[list[str], Param("path", _parts)]


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def expand(
    ctx: Ctx,
    path: Annotated[Path, Doc("The names on the way to the item: src/browse, or 'a > b/c'.")],
    target: Annotated[
        Selector | None, Doc("The tree, where there are several.", metavar="tree")
    ] = None,
) -> Text:
    """Expand a tree to an item, and the item too; show what is below it.

    Works for `role=tree` (jsTree, Fancytree, file trees) and for `<details>` in `<details>`.
    Children that load when their parent opens are waited for.

    Examples:
        browse expand src/browse/page
        browse expand 'Europe > France' '#places'
    """
    if target:
        root = (await ctx.find_element(target)).handle
    else:
        found = await ctx.tab.frame.query_selector("html")
        if found is None:
            raise BrowseError(Code.NO_MATCH, "The page is empty.", hint="browse goto <url>")
        root = found
    seen, opened = await Tree(ctx.tab, root, ctx.patience.is_busy).expand(path)
    done = "Expanded to" if opened else "Nothing was to be expanded:"
    ref = f"@e{seen.item.number}" if seen.item else ""
    shown = [f"below it: {name}" for name in seen.names]
    left = seen.count - len(seen.names)
    return Text(
        f"{done} {' > '.join(path)}: {ref}, {_standing(seen)}"
        + (f" (the first {len(shown)} are shown)" if left else ""),
        {
            "target": target,
            "path": path,
            "ref": ref,
            "expanded": opened,
            "count": seen.count,
            **from_page(names=seen.names),
        },
        page="\n".join(shown),
    )


def _standing(seen: Branch) -> str:
    if seen.state == "leaf":
        return "an item with nothing below it"
    return f"{seen.count} {'item' if seen.count == 1 else 'items'} below it"
