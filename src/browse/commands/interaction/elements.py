"""Acting on a page."""

from typing import Annotated

from browse.browser.actions import checkboxes, click_and_fill, options, uploads
from browse.browser.elements.element import hold
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, ReadFile, Secret, Selector
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
    element = await hold(ctx.tab, target, anyway=ctx.anyway)
    if element.tag == "option":
        await click_and_fill.choose_option(element)
        return Text(f"Selected {target} (auto-routed from click on <option>)", {"target": target})
    button: click_and_fill.Button = "right" if right else "middle" if middle else "left"
    await click_and_fill.click(element, button=button, double=double, held=modifiers)
    return Text(f"Clicked {target}", {"target": target})


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def fill(ctx: Ctx, target: Selector, *words: Secret) -> Text:
    """Put a value into a field; without a value the field is emptied.

    Works for inputs (dates and colours too), text areas and editable content.

    Examples:
        browse fill @e5 ada@example.com
        browse fill '#due' 2026-12-24
        browse fill @e5
    """
    element = await hold(ctx.tab, target, anyway=ctx.anyway)
    await click_and_fill.fill(element, " ".join(words))
    return Text(f"Filled {target}", {"target": target})


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def select(ctx: Ctx, target: Selector, value: str, *more: str) -> Text:
    """Choose an option of a select, by its value or its label.

    All the words together name one option (`New York`); if there is none of that value or label,
    each word names one by itself, which only a select for several takes: its choice is then exactly
    these. A combobox or listbox that the page made itself is opened, and the option of that name is
    pressed.

    Examples:
        browse select @e4 large
        browse select '#city' New York
        browse select '#toppings' olives "red onion" basil
    """
    element = await hold(ctx.tab, target, anyway=ctx.anyway)
    chosen = await options.choose(element, [value, *more])
    named = ", ".join(f'"{word}"' for word in chosen)
    return Text(f"Selected {named} in {target}", {"target": target, "values": chosen})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def check(ctx: Ctx, target: Selector) -> Text:
    """Check a checkbox, a radio button or a switch, unless it is checked.

    Works for those that the page made itself (`role=checkbox`), and through a label.

    Examples:
        browse check @e6
        browse check 'label=I agree'
    """
    return await _tick(ctx, target, wanted=True)


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def uncheck(ctx: Ctx, target: Selector) -> Text:
    """Uncheck a checkbox or a switch, unless it is unchecked.

    Examples:
        browse uncheck @e6
        browse uncheck '#newsletter'
    """
    return await _tick(ctx, target, wanted=False)


async def _tick(ctx: Ctx, target: str, *, wanted: bool) -> Text:
    element = await hold(ctx.tab, target, anyway=ctx.anyway)
    pressed = await checkboxes.tick(element, wanted)
    state = "checked" if wanted else "unchecked"
    text = f"{state.capitalize()} {target}" if pressed else f"{target} is already {state}"
    return Text(text, {"target": target, "checked": wanted, "already": not pressed})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def upload(ctx: Ctx, target: Selector, file: ReadFile, *more: ReadFile) -> Text:
    """Give files to a file input, or to what opens the file chooser.

    The files must lie in the project or the temporary folder. What the page says that it takes
    (one file or several, which kinds) is kept to.

    Examples:
        browse upload 'input[type=file]' report.html
        browse upload @e9 page.html payload.json
    """
    files = [file, *more]
    element = await hold(ctx.tab, target, anyway=ctx.anyway)
    sizes = [uploads.measured(each) for each in files]
    await uploads.upload(element, files)
    return Text(
        "Uploaded: " + ", ".join(f"{name} ({size}B)" for name, size in sizes),
        {"target": target, "files": [{"name": name, "bytes": size} for name, size in sizes]},
    )
