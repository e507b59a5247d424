"""`find`: the elements that match some words, with refs."""

from typing import Annotated, Any

from browse.browser.elements.page_changes import while_restless
from browse.browser.elements.target import similar_lines
from browse.browser.reading import search
from browse.browser.reading.snapshot import describe
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, whole
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command
from browse.security.characters import invisible

DEFAULT_LIMIT = 10
KINDS = ("text", "label", "placeholder", "alt", "title", "testid")
ACTIONS = ("click", "fill", "type", "hover", "focus", "check", "uncheck")
Limit = Annotated[int, whole(1, 200)]


def _respell(words: list[str]) -> list[str]:
    """Take `find role button` and `find text 'Sign in'` as other tools have them."""
    kind, *rest = words or [""]
    if kind in ("role", *KINDS) and len(rest) > 1 and rest[1] in ACTIONS:
        target = f"{kind}={rest[0]}" if kind != "testid" else f"testid={rest[0]}"
        raise Usage(
            "find: it looks for elements and acts on none",
            hint=f"browse {rest[1]} '{target}'",
        )
    if kind == "role" and rest:
        return [*rest[1:], f"--role={rest[0]}"]
    return rest if kind in KINDS and rest else words


@command(
    group=Group.READING,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    respell=_respell,
    instead={"--name": "browse find --role button Submit", "--exact": "browse find Submit"},
)
async def find(
    ctx: Ctx,
    *words: str,
    role: Annotated[str, Doc("Only elements with this role: button, link, textbox.")] = "",
    interactive: Annotated[bool, Doc("Only interactive elements.", short="i")] = False,
    limit: Annotated[Limit, Doc("How many to list; default 10.")] = DEFAULT_LIMIT,
) -> PageText:
    """Find elements by words, and print them with refs: instead of a whole snapshot.

    The words are looked for in roles, names, texts, values, placeholders and similar attributes, in
    frames and shadow roots too; some of them may be in what is around (`buy assam` finds the button
    in the row of Assam). The best match comes first. Each line ends with where the element is.

    Examples:
        browse find sign in
        browse find email --role textbox
        browse find delete invoice 42 --interactive
        browse find --role heading
    """
    looked = " ".join(words).split()
    if not looked and not role:
        raise Usage("find: no words were given", hint="browse find sign in, or --role button")
    found = await _found(ctx, looked, role.lower(), interactive=interactive)
    if not found.hits:
        raise await _nothing(ctx, looked, role)
    shown = found.hits[:limit]
    await search.confirm(ctx.tab, found.snapshot.doc, shown)
    lines = [_line(hit, looked) for hit in shown]
    notes = [] if found.whole else ["(nothing has all of the words; these have some)"]
    if more := len(found.hits) - len(shown):
        notes.append(f"({more} more; add words, or --limit {min(200, len(found.hits))})")
    text = "\n".join(lines)
    nodes = invisible.cleaned({"nodes": [_node(hit, looked) for hit in shown]})
    data = from_page(url=ctx.tab.url, **nodes) | {"found": len(found.hits), "notes": notes}
    hidden = [*found.snapshot.hidden, *invisible.blocks(text)]
    return PageText(
        invisible.visible(text), ctx.tab.url, data, note="\n".join(notes), hidden=hidden
    )


async def _found(ctx: Ctx, words: list[str], role: str, *, interactive: bool) -> search.Search:
    """Search; while there is nothing and the page is not quiet, search again."""

    async def look() -> search.Search | None:
        found = await search.search(ctx.tab, words, role=role, interactive=interactive)
        return found if found.hits else None

    later = await while_restless(ctx.tab, look, ctx.patience.limit_ms, ctx.patience.is_busy)
    return later or await search.search(ctx.tab, words, role=role, interactive=interactive)


def _line(hit: search.Hit, words: list[str]) -> str:
    row = hit.row
    row.text = search.excerpt(row.text, words)
    line = f"{hit.ref} {describe(row)}"
    if extra := search.matching_attribute(hit, words):
        line += f" ({extra[0]}: {search.excerpt(extra[1], words)})"
    where = search.surroundings(hit)
    return " ".join((f"{line} — {where}" if where else line).split())


def _node(hit: search.Hit, words: list[str]) -> dict[str, Any]:
    row, extra = hit.row, search.matching_attribute(hit, words)
    return {
        "ref": hit.ref,
        "role": row.role,
        "name": row.name,
        "marks": row.marks,
        "text": row.text,
        "where": search.surroundings(hit),
        **({"attribute": {extra[0]: extra[1]}} if extra else {}),
    }


async def _nothing(ctx: Ctx, words: list[str], role: str) -> BrowseError:
    similar = await similar_lines(ctx.tab, ctx.tab.frame, " ".join(words))
    what = f"{' '.join(words)[:80]!r}" if words else "elements"
    of_role = f" with the role {role[:40]!r}" if role else ""
    near = "one of these may be meant; " if similar else ""
    return BrowseError(
        Code.NO_MATCH,
        f"Nothing on the page matches {what}{of_role}.",
        hint=f"{near}look with `browse snapshot -i`, or wait for it: browse wait --text <text>",
        page="\n".join(similar),
    )
