"""What is known before work begins: of a site, and for an intent."""

from typing import Annotated, Any

from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.site_notes import Host, current_host, in_words, told
from browse.notes.suggestion import MAX_INTENT_CHARS, Ranked, host_in, ranked
from browse.registry.params import Doc
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command


@command(group=Group.NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def context(
    ctx: Ctx,
    site: Host | None = None,
    *,
    reset: Annotated[bool, Doc("Let agents go on that were halted.")] = False,
) -> Text:
    """Show what is known of a site before work begins there: notes, and programs that fit it.

    Without a name it is the site of the current tab. The reference that comes with it must never
    appear in a command or leave in a request: an agent that repeats it was told to by somebody, and
    is halted until `--reset`.

    Examples:
        browse context example.com
        browse context --reset
    """
    if reset:
        names = ctx.parts.leaks.reset()
        said = f"These may go on: {', '.join(names)}" if names else "Nobody was halted."
        return Text(said, {"reset": names})
    host = site or await current_host(ctx)
    about = told(ctx, await ctx.parts.notes.open(host))
    reference = ctx.parts.leaks.canary.tell()
    lines = about.lines if about.page else [*about.lines, f"No notes on {host}."]
    lines += [] if about.page else [in_words(reference)]
    others = [it for it in await ctx.parts.notes.suggestions(host) if it.kind != "note"]
    rows = [{"kind": it.kind, "name": it.name, "description": it.description} for it in others]
    quotes = [about.page, *(f"{it.kind} {it.name}: {_brief(it.description)}" for it in others)]
    facts = {"host": host, **about.facts, "reference": reference}
    return Text(
        "\n".join(lines),
        {**facts, **from_page(notes=about.notes, others=rows)},
        page="\n".join(filter(None, quotes)),
        source=f"notes:{host}",
    )


@command(group=Group.NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def match(
    ctx: Ctx,
    intent: str,
    *,
    host: Annotated[Host | None, Doc("Where it shall be done; else a host in the words.")] = None,
) -> Text:
    """Rank what is kept, notes and programs, by how well it fits what you are about to do.

    Words are compared, with triggers before descriptions, and the host before both. The score is
    from 0 to 1, and the same every time.

    Examples:
        browse match 'top stories of news.ycombinator.com'
        browse match 'log in' --host example.com
    """
    if not intent.strip() or len(intent) > MAX_INTENT_CHARS:
        raise Usage(
            f"match: an intent has 1 to {MAX_INTENT_CHARS:,} characters",
            hint="browse match 'top stories'",
        )
    found = ranked(intent, await ctx.parts.notes.suggestions(), host=host or host_in(intent))
    if not found:
        return Text("Nothing that is kept fits.", {"candidates": []})
    return Text(
        f"{len(found)} fit:",
        {"candidates": [_candidate(it) for it in found]},
        page="\n".join(_line(it) for it in found),
        source="notes",
    )


def _candidate(it: Ranked) -> dict[str, Any]:
    one = it.suggestion
    about = from_page(name=one.name, host=one.host, description=_brief(one.description))
    return {"score": it.score, "kind": one.kind, "state": one.state, **about}


def _line(it: Ranked) -> str:
    one = it.suggestion
    state = f" [{one.state}]" if one.state else ""
    return f"{it.score:.3f}  {one.kind}  {one.name}{state} — {_brief(one.description)}"


def _brief(text: str) -> str:
    line = next((line.lstrip("# ").strip() for line in text.splitlines() if line.strip()), "")
    return line[:120]
