"""`options`: what a select or a listbox has to choose from."""

from typing import Annotated

import msgspec

from browse.browser.page import scripts
from browse.browser.page.choosing import Choice
from browse.core.errors import BrowseError, Code
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import visible_reply
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText
from browse.registry.spec import Group, command

MAX_OPTIONS = 20_000


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def options(
    ctx: Ctx,
    target: Selector,
    words: Annotated[str, Doc("Only options that contain this.")] = "",
) -> PageText:
    """List the options of a select or a listbox, one a line, with their values.

    A snapshot shows a select of more than 30 options as one line with their number. To choose, use
    `browse select`.

    Examples:
        browse options @e4
        browse options '#country' land
    """
    place = (await ctx.find(target, anyway=True)).place
    found = await scripts.CHOICES(place, words=[], most=MAX_OPTIONS)
    if not found.count:
        raise BrowseError(
            Code.NO_MATCH,
            f"{target[:80]!r} has no options.",
            hint="name a select or a listbox; other lists show theirs when they are open: click it",
        )
    wanted = [it for it in found.shown if words.lower() in f"{it.label}\n{it.value}".lower()]
    note = f"({counted(found.count, 'option')}, {len(wanted)} shown)"
    text = "\n".join(map(_line, wanted))
    nodes = [{"label": it.label, "value": it.value, "disabled": it.disabled} for it in wanted]
    reply = visible_reply(ctx, text, [], options=nodes, count=found.count)
    return msgspec.structs.replace(reply, note=note)


def _line(it: Choice) -> str:
    value = f" (value: {it.value})" if it.value not in ("", it.label) else ""
    return f"{it.label}{value}{' [disabled]' if it.disabled else ''}"
