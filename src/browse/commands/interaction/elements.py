"""Commands that act on one element: click, fill, select, check, upload."""

import asyncio
from typing import Annotated

from browse.browser.actions import checkboxes, click_and_fill, options, uploads
from browse.browser.elements.element import reach
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.guard.secrets import MASK
from browse.registry.params import Doc, ReadFile, Secret, Selector
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, command

MAX_VALUE_CHARS = 200


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def click(
    ctx: Ctx,
    target: Selector,
    *,
    right: Annotated[bool, Doc("Use the right mouse button.")] = False,
    middle: Annotated[bool, Doc("Use the middle mouse button.")] = False,
    double: Annotated[bool, Doc("Double-click.")] = False,
    modifiers: Annotated[
        str, Doc("Keys to hold down, joined by +: Shift, Control, Alt, Meta.", metavar="keys")
    ] = "",
) -> Text:
    """Click an element.

    An option of a select is chosen instead, because browsers do not let it be clicked.

    Examples:
        browse click @e3
        browse click 'button[type=submit]'
        browse click 'text=Sign in' --expect 'text=Welcome' --within 5s
        browse click @e7 --double --modifiers Control+Shift
    """
    found = await ctx.find(target, anyway=ctx.anyway)
    if found.tag == "option":
        await click_and_fill.choose_option(await reach(ctx.tab, target, found))
        return Text(f"Selected {target} (auto-routed from click on <option>)", {"target": target})
    button: click_and_fill.Button = "right" if right else "middle" if middle else "left"
    await click_and_fill.click(
        ctx.tab,
        target,
        found,
        button=button,
        double=double,
        held=modifiers,
        patience=ctx.patience,
    )
    return Text(f"Clicked {target}", {"target": target})


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def fill(ctx: Ctx, target: Selector, *words: Secret) -> Text:
    """Fill a field with a value; without a value, clear the field.

    Works for inputs (also dates and colours), text areas and editable content. If the page makes
    another value of it, the reply shows that.

    Examples:
        browse fill @e5 ada@example.com
        browse fill '#due' 2026-12-24
        browse fill @e5
    """
    value = " ".join(words)
    found = await ctx.find(target, anyway=ctx.anyway)
    now = await click_and_fill.fill(ctx.tab, target, found, value, ctx.patience)
    if now.value is None or now.value == value.replace("\r\n", "\n"):
        return Text(f"Filled {target}", {"target": target})
    held = MASK if now.secret else now.value[:MAX_VALUE_CHARS]
    return Text(
        f"Filled {target}; the page made another value of it",
        {"target": target, **from_page(value=held)},
        page=f"value: {held}",
    )


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def select(ctx: Ctx, target: Selector, value: str, *more: str) -> Text:
    """Choose an option of a select, by its value or its label.

    All words together name one option (`New York`). If no option has that value or label, each word
    names one; a select that allows several then has exactly these selected. An ARIA combobox or
    listbox is opened, and the option is clicked.

    Examples:
        browse select @e4 large
        browse select '#city' New York
        browse select '#toppings' olives "red onion" basil
    """
    element = await ctx.find_element(target)
    chosen = await options.choose_options(element, [value, *more])
    named = ", ".join(f'"{word}"' for word in chosen)
    return Text(f"Selected {named} in {target}", {"target": target, "values": chosen})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def check(ctx: Ctx, target: Selector) -> Text:
    """Check a checkbox, a radio button or a switch, unless it is checked.

    Works for ARIA controls (`role=checkbox`) too, and through a label.

    Examples:
        browse check @e6
        browse check 'label=I agree'
    """
    return await _set_checked(ctx, target, wanted=True)


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def uncheck(ctx: Ctx, target: Selector) -> Text:
    """Uncheck a checkbox or a switch, unless it is unchecked.

    Examples:
        browse uncheck @e6
        browse uncheck '#newsletter'
    """
    return await _set_checked(ctx, target, wanted=False)


async def _set_checked(ctx: Ctx, target: str, *, wanted: bool) -> Text:
    element = await ctx.find_element(target)
    changed = await checkboxes.set_checked(element, wanted)
    state = "checked" if wanted else "unchecked"
    text = f"{state.capitalize()} {target}" if changed else f"{target} is already {state}"
    return Text(text, {"target": target, "checked": wanted, "already": not changed})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def upload(ctx: Ctx, target: Selector, file: ReadFile, *more: ReadFile) -> Text:
    """Upload files through a file input, or a button that opens the file chooser.

    The files must be in the project or the temporary folder. What the input declares (one file or
    several, which types) is respected.

    Examples:
        browse upload 'input[type=file]' report.html
        browse upload @e9 page.html payload.json
    """
    files = [file, *more]
    element = await ctx.find_element(target)
    folder = await asyncio.to_thread((await ctx.tabs()).scratch.folder)
    copies = await uploads.upload(element, files, folder)
    sizes = [(copy.path.name, copy.size) for copy in copies]
    return Text(
        "Uploaded: " + ", ".join(f"{name} ({size}B)" for name, size in sizes),
        {"target": target, "files": [{"name": name, "bytes": size} for name, size in sizes]},
    )
