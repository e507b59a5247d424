"""Acting on a page."""

from typing import Annotated

from browse.browser import actions
from browse.browser.target import find
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector
from browse.registry.results import Text
from browse.registry.spec import Group, command


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def click(
    ctx: Ctx,
    target: Selector,
    *,
    right: Annotated[bool, Doc("With the right button.")] = False,
    middle: Annotated[bool, Doc("With the middle button.")] = False,
    double: Annotated[bool, Doc("Twice.")] = False,
    modifiers: Annotated[
        str, Doc("Keys held meanwhile, joined by +: Shift, Control, Alt, Meta.", metavar="keys")
    ] = "",
) -> Text:
    """Press an element.

    An option of a select is chosen instead, because a browser does not let it be pressed.

    Examples:
        browse click @e3
        browse click 'button[type=submit]'
        browse click 'text=Sign in' --expect 'text=Welcome' --within 5s
        browse click @e7 --double --modifiers Control+Shift
    """
    found = await find(ctx.tab, target, anyway=ctx.anyway)
    if found.tag == "option":
        await actions.choose_option(found.place, target)
        return Text(f"Selected {target} (auto-routed from click on <option>)", {"target": target})
    button: actions.Button = "right" if right else "middle" if middle else "left"
    await actions.click(found.place, target, button=button, double=double, held=modifiers)
    return Text(f"Clicked {target}", {"target": target})


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def fill(ctx: Ctx, target: Selector, *words: str) -> Text:
    """Put a value into a field; without a value the field is emptied.

    Works for inputs (dates and colours too), text areas and editable content.

    Examples:
        browse fill @e5 ada@example.com
        browse fill '#due' 2026-12-24
        browse fill @e5
    """
    found = await find(ctx.tab, target, anyway=ctx.anyway)
    await actions.fill(found.place, target, " ".join(words))
    return Text(f"Filled {target}", {"target": target})
