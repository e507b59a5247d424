"""Commands that act on one element: click, fill, select, check, upload."""

import asyncio
import re
from typing import Annotated

from browse.browser.actions import checkboxes, click_and_fill, several_fields, uploads
from browse.browser.actions.widgets import options
from browse.browser.elements.element import reach
from browse.browser.page.shapes import FilledField
from browse.browser.tabs.refs import parse as parse_ref
from browse.core.errors import BrowseError, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.guard.secret_input import secrets_in
from browse.guard.secrets import MASK
from browse.guard.stand_ins import STAND_INS
from browse.registry.params import (
    SECRET_FROM,
    Doc,
    Param,
    ReadFile,
    Secret,
    Selector,
    Surroundings,
)
from browse.registry.results import Text, from_page
from browse.registry.spec import Alias, Group, command

HINT = "browse fill @e5=ada @e6=x"

MAX_VALUE_CHARS = 200
GONE = "; the page has replaced or removed that field since: look with `browse snapshot -i`"


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    aliases=(
        Alias("dblclick", "--double"),
        Alias("doubleclick", "--double"),
        Alias("double-click", "--double"),
        Alias("rightclick", "--right"),
        Alias("right-click", "--right"),
        "tap",
    ),
    instead={
        "--text": "browse click 'text=Sign in'",
        "--role": "browse click 'role=button[name=\"Sign in\"]'",
        "--button": "use --right or --middle",
        "--new-tab": "browse click @e3 --modifiers Control",
    },
)
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
    found = await ctx.find(target, anyway=ctx.anyway, use="" if modifiers else "press")
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
        seen=ctx.seen,
    )
    return Text(f"Clicked {target}", {"target": target})


def _parse_field(raw: str, _: Surroundings) -> tuple[str, str]:
    ref, equals, value = raw.partition("=")
    if not equals or parse_ref(ref) is None:
        raise Usage("a field is a ref, = and a value", hint="browse fill @e5=ada @e6=x")
    return ref, value


def _noted_field(raw: str) -> str:
    return f"{raw.partition('=')[0]}={MASK}" if _FIELD.match(raw) else MASK


_FIELD = re.compile(r"@[ec][0-9]+=")
# No selector, but what is tried for a field that has no ref yet.
_BY_SELECTOR = re.compile(r"[#.][\w-]+=")
Field = Annotated[tuple[str, str], Param("ref=value", _parse_field, noted=_noted_field)]


def _fields(words: list[str]) -> list[str]:
    """Take `fill @e1=Ada @e2=x` as several fields."""
    if words and _BY_SELECTOR.match(words[0]):
        hint = f"browse snapshot -i shows them, then: {HINT}"
        raise Usage("fill: fields with their values in one word are named by refs", hint=hint)
    if not words or not _FIELD.match(words[0]):
        return words
    if not all(map(_FIELD.match, words)):
        raise Usage(
            "fill: every word must be a ref, = and a value, as the first one is",
            hint="quote a value with spaces: browse fill '@e5=Ada Lovelace' @e6=x",
        )
    return [f"--field={word}" for word in words]


async def _fill_fields(ctx: Ctx, fields: tuple[tuple[str, str], ...], *, alone: bool) -> Text:
    refs = [ref for ref, _ in fields]
    if not alone or len({*refs}) < len(refs):
        raise Usage("fill: name each field once, and no other target beside them", hint=HINT)
    elements = [await ctx.find_element(ref) for ref in refs]
    for element in elements:
        await several_fields.require_fillable(element)
    filled: list[str] = []
    gone: list[str] = []
    others: dict[str, str] = {}
    for ref, value in fields:
        ctx.steps.append(("--", ref, value))
        try:
            found = await ctx.find(ref, anyway=ctx.anyway, use="text")
            now = await click_and_fill.fill(ctx.tab, ref, found, value, ctx.patience, ctx.seen)
        except BrowseError as exc:
            raise _stopped(exc, ref, filled, refs[len(filled) + 1 :]) from exc
        filled.append(ref)
        if now.gone:
            gone.append(ref)
        elif (other := _other_value(now, value, secret=False)) is not None:
            others[ref] = other
    said = f"Filled {', '.join(filled)}"
    said += f"{GONE} ({', '.join(gone)})" if gone else ""
    said += f"; the page made another value of {', '.join(others)}" if others else ""
    data = {"targets": filled, "gone": gone, **(from_page(values=others) if others else {})}
    shown = "\n".join(f"{ref}: {' '.join(value.split())}" for ref, value in others.items())
    return Text(said, data, page=shown)


def _other_value(now: FilledField, value: str, *, secret: bool) -> str | None:
    """Return what the page made of a value; None if it is as it was filled in, or unknown."""
    if now.value is None or now.value == value.replace("\r\n", "\n"):
        return None
    return MASK if now.secret or secret else now.value[:MAX_VALUE_CHARS]


def _stopped(exc: BrowseError, ref: str, filled: list[str], left: list[str]) -> BrowseError:
    done = f"Filled before: {', '.join(filled)}." if filled else "No field was filled before."
    rest = f" Not filled: {', '.join(left)}." if left else ""
    return BrowseError(
        exc.code,
        f"{ref} was not filled: {exc.message} {done}{rest}",
        hint=exc.hint,
        page=exc.page,
        facts={**exc.facts, "filled": filled, "failed": ref, "left": left},
    )


def _secret(ctx: Ctx) -> str:
    (value,) = secrets_in(ctx.call.stdin, 1)
    return value


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    aliases=("input",),
    respell=_fields,
    instead={"--submit": "browse press Enter, after the field is filled"},
)
async def fill(
    ctx: Ctx,
    target: Selector | None = None,
    *words: Secret,
    field: Annotated[
        tuple[Field, ...], Doc("A ref, = and its value; for several fields in one call.")
    ] = (),
    secret_env: Annotated[
        str, SECRET_FROM, Doc("Take the value from this variable, and show it to nobody.")
    ] = "",
    secret_stdin: Annotated[
        bool, SECRET_FROM, Doc("Take the value from stdin, and show it to nobody.")
    ] = False,
) -> Text:
    """Fill a field with a value, or several fields; without a value, clear the field.

    Works for inputs (also dates and colours), text areas, editable content and editors such as
    CodeMirror, Monaco and TinyMCE, and for sliders; what an editor or a slider holds then is
    compared, and must be the value (an editor that masks what it holds cannot be compared). To
    fill several fields, write each as ref=value; quote a value with spaces. All of them are
    checked before the first is filled. If the page makes another value of it, the reply shows
    that. Dates are written as 2026-12-24, times as 18:30; a read-only field that opens a calendar
    takes such a day too, which is chosen there.

    Examples:
        browse fill @e5 ada@example.com
        browse fill @e5=ada@example.com '@e6=Ada Lovelace'
        browse fill '#due' 2026-12-24
        browse fill @e5
        browse fill @e7 --secret-env SHOP_PASSWORD
    """
    from_elsewhere = bool(secret_env or secret_stdin)
    if from_elsewhere and (words or field or (secret_env and secret_stdin)):
        raise Usage("fill: give one value: a text, --secret-env or --secret-stdin", hint=HINT)
    if field:
        return await _fill_fields(ctx, field, alone=target is None)
    if target is None:
        raise Usage("fill: <selector> is missing", hint="browse fill @e5 <text>")
    if len(words) > 1 and (refs := [word for word in words if parse_ref(word)]):
        raise Usage(
            f"fill: {refs[0]} stands where the value of {target} does. Nothing was filled",
            hint="several fields: browse fill @e1=Ada @e2=Lovelace; else quote the whole value",
        )
    value = " ".join(words)
    secret = _secret(ctx) if from_elsewhere else STAND_INS.meant(value)
    ctx.typed_secret = secret is not None
    value = value if secret is None else secret
    found = await ctx.find(target, anyway=ctx.anyway, use="text")
    now = await click_and_fill.fill(
        ctx.tab, target, found, value, ctx.patience, ctx.seen, secret=ctx.typed_secret
    )
    if now.gone:
        return Text(f"Filled {target}{GONE}", {"target": target, "gone": True})
    held = _other_value(now, value, secret=ctx.typed_secret)
    if held is None:
        return Text(f"Filled {target}", {"target": target})
    return Text(
        f"Filled {target}; the page made another value of it",
        {"target": target, **from_page(value=held)},
        page=f"value: {held}",
    )


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    aliases=("select-option",),
    instead=dict.fromkeys(("--value", "--label"), "browse select @e4 large"),
)
async def select(ctx: Ctx, target: Selector, value: str, *more: str) -> Text:
    """Choose an option of a select, by its value or its label.

    All words together name one option (`New York`). If no option has that value or label, each word
    names one; a select that allows several then has exactly these selected. An ARIA combobox or
    listbox is opened, and the option is clicked; one that is not in the page yet is looked for by
    typing it, or by scrolling the list. What is chosen is looked at when the page is quiet, and
    must be as asked; where nothing tells, the reply says so.

    Examples:
        browse select @e4 large
        browse select '#city' New York
        browse select '#toppings' olives "red onion" basil
    """
    element = await ctx.find_element(target)
    made = await options.choose_options(element, [value, *more], ctx.patience)
    named = ", ".join(f'"{word}"' for word in made.words)

    async def check(said: list[str]) -> Text:
        now = await options.read_back(made, ctx.patience, said)
        facts = {"target": target, "values": made.words}
        if now is None:
            gone = f"Selected {named} in {target}; that is gone from the page now"
            return Text(gone, {**facts, "verified": False})
        if None not in now.chosen:
            return Text(f"Selected {named} in {target}", {**facts, "verified": True})
        what = "this now" if now.shows else "nothing"
        return Text(
            f"Clicked {named} in {target}, which shows {what}: look with `browse snapshot -i`",
            {**facts, "verified": False, **from_page(shows=now.shows)},
            page=f"shows: {now.shows}" if now.shows else "",
        )

    ctx.check = check
    return Text(f"Selected {named} in {target}", {"target": target, "values": made.words})


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
