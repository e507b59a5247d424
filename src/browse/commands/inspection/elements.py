"""`is`, `attrs`, `value`, `count` and `css`: the state of elements."""

import re
import shlex
from typing import Annotated, Any, Literal

import msgspec

from browse.browser.actions import editors
from browse.browser.elements.target import FoundElement, locator_for
from browse.browser.page import scripts, shapes
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import nearest
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import complete_reply
from browse.guard.secrets import hidden, looks_secret, names_a_secret, redacted
from browse.registry.params import WORD, Doc, Param, Selector
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Alias, Group, command

State = Literal["visible", "hidden", "enabled", "disabled", "checked", "editable", "focused"]
# States that are the negation of another.
OPPOSITE = {"hidden": "visible", "enabled": "disabled"}
# Attributes that may hold the secret of a field for secrets.
HOLDERS = ("value", "content")
SHOWN_PART = "The editor shows only this part; `value --whole` reads all, and moves its caret."
CHECKED = {True: "checked", False: "unchecked", "mixed": "mixed"}


@command(group=Group.INSPECTION, scope=Scope.READ, surfaces=ANYWHERE, name="is")
async def is_(ctx: Ctx, state: State, target: Selector) -> Text:
    """Check the state of an element: prints true or false. Does not wait.

    ARIA states count (aria-checked, aria-disabled). An element that does not exist is hidden; for
    other states it is an error.

    Examples:
        browse is visible '#result'
        browse is checked @e4
        browse is enabled 'text=Save'
    """
    value = await _state(ctx, state, target)
    return Text("true" if value else "false", {"value": value})


async def _state(ctx: Ctx, state: State, target: str) -> bool:
    try:
        found = await _find(ctx, target)
    except BrowseError as exc:
        if state in ("visible", "hidden") and exc.code in (Code.NO_MATCH, Code.REF_STALE):
            return state == "hidden"
        raise
    value = await scripts.STATE(found.place, state=OPPOSITE.get(state, state))
    if value is None:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{target[:80]!r} cannot be checked or unchecked.",
            hint="name the checkbox, radio button or switch itself: `browse snapshot -i`",
        )
    return not value if state in OPPOSITE else value


@command(
    group=Group.INSPECTION,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    aliases=("attr", "attributes", Alias("get attr"), Alias("get attrs"), Alias("get attributes")),
)
async def attrs(
    ctx: Ctx, target: Selector, name: Annotated[str | None, Doc("Only this attribute.")] = None
) -> PageText:
    """Print an element's attributes as JSON, or one of them. Secrets are masked.

    Examples:
        browse attrs '#login'
        browse attrs @e3 href
    """
    found = await _find(ctx, target)
    read, concealed = await scripts.ATTRIBUTES.read(found.place)
    shown = dict(read.attributes) if ctx.reveal else without_secrets(read)
    if name is not None:
        value = _one_of(shown, name, target)
        return complete_reply(ctx, value, concealed, attribute=name, value=value)
    text = msgspec.json.format(msgspec.json.encode(shown), indent=2).decode()
    return complete_reply(ctx, text, concealed, attributes=shown)


def _one_of(attributes: dict[str, str], name: str, target: str) -> str:
    if name in attributes:
        return attributes[name]
    raise BrowseError(
        Code.NO_MATCH,
        f"{target[:80]!r} has no attribute {name[:40]!r}.",
        hint=f"browse attrs {shlex.quote(target[:80])} lists those that it has",
        page=" ".join(attributes),
    )


@command(group=Group.INSPECTION, scope=Scope.READ, surfaces=ANYWHERE, aliases=(Alias("get value"),))
async def value(
    ctx: Ctx,
    target: Selector,
    *,
    whole: Annotated[
        bool, Param("", WORD.parse, scopes=Scope.WRITE), Doc("All of an editor; moves its caret.")
    ] = False,
) -> PageText:
    """Print what a field holds. Of a secret, such as a password, only the length is shown.

    For a choice, this is the value of the chosen option; --json has its label too. A checkbox or
    radio button is checked or unchecked. Editors of code may show a part of what they hold: with
    --whole all of it is selected, and read as it would be copied.

    Examples:
        browse value @e5
        browse value 'label=Email'
        browse value @e9 --whole
    """
    found = await _find(ctx, target)
    held = await scripts.VALUE(found.place, reveal=ctx.reveal)
    if held is None:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{target[:80]!r} is not a field.",
            hint=f"browse text {shlex.quote(target[:80])} prints its text",
        )
    if whole and not held.secret_chars:
        held = await _whole(ctx, target, held)
    elif held.part == "nothing":
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{target[:80]!r} takes what is typed for an editor, which shows its text elsewhere.",
            hint=f"browse value {shlex.quote(target[:80])} --whole selects and reads all of it;"
            " `browse text` prints what it shows",
        )
    if held.secret_chars:
        text = hidden("*" * held.secret_chars)
        return PageText(text, ctx.tab.url, from_page(url=ctx.tab.url, value=text, secret=True))
    values = [
        each if ctx.reveal or not looks_secret(each) else hidden(each) for each in held.values
    ]
    checked = CHECKED.get(held.checked, "")
    text = checked or "\n".join(values)
    facts: dict[str, Any] = {
        "value": values[0] if len(values) == 1 else values,
        "labels": held.labels,
    }
    facts |= {} if held.checked is None else {"checked": held.checked}
    note = SHOWN_PART if held.part == "some" else ""
    data = {**from_page(url=ctx.tab.url, **facts), **({"part": True} if note else {})}
    return PageText(text, ctx.tab.url, data, note=note)


async def _whole(ctx: Ctx, target: str, shown: shapes.FieldValue) -> shapes.FieldValue:
    """Return all that an editor holds; of any other field, what it holds anyway."""
    area = await editors.area_of(await ctx.find_element(target))
    if area is None:
        return shown
    now = await scripts.VALUE(area.handle, reveal=ctx.reveal)
    if now and now.secret_chars:
        return now
    return msgspec.structs.replace(shown, values=[await editors.whole_text(area)], part="all")


@command(group=Group.INSPECTION, scope=Scope.READ, surfaces=ANYWHERE, aliases=(Alias("get count"),))
async def count(ctx: Ctx, selector: Selector) -> Text:
    """Count the elements that match a selector, hidden ones included. Does not wait.

    Examples:
        browse count 'table tr'
        browse count 'role=checkbox'
    """
    frame = ctx.tab.frame
    place = locator_for(ctx.tab, selector)
    many = (await scripts.described(frame, place, selector=selector, most=1)).count
    return Text(str(many), {"count": many})


def without_secrets(read: shapes.Attributes) -> dict[str, str]:
    """Mask secret values, recognised by the attribute, the field or the form of the value."""
    given = dict(read.attributes)
    secret = read.secret or any(names_a_secret(given.get(name, "")) for name in ("name", "id"))
    return {
        name: hidden(value) if secret and name in HOLDERS else redacted(name, value)
        for name, value in given.items()
    }


@command(group=Group.INSPECTION, scope=Scope.READ)
async def css(ctx: Ctx, target: Selector, property: str) -> PageText:
    """Print the computed value of an element's CSS property.

    For a custom property, write `--` before it.

    Examples:
        browse css h1 font-size
        browse css @e3 background-color
        browse css main -- --accent
    """
    found = await _find(ctx, target)
    name = dashed(property)
    styled = await scripts.COMPUTED_STYLE(found.place, property=name)
    if not styled.known:
        raise _unknown(name, target, styled.others)
    return PageText(
        styled.value, ctx.tab.url, from_page(url=ctx.tab.url, property=name, value=styled.value)
    )


def dashed(property: str) -> str:
    """Convert backgroundColor to background-color; custom properties stay unchanged."""
    name = property.strip()
    if name.startswith("--"):
        return name
    return re.sub(r"(?<=[a-z])[A-Z]", lambda letter: "-" + letter[0], name).lower()


def _unknown(name: str, target: str, others: list[str]) -> BrowseError:
    if name.startswith("--"):
        return BrowseError(
            Code.NO_MATCH,
            f"The custom property {name[:80]} is not set on {target[:80]}.",
            hint=f"look at `browse attrs {shlex.quote(target[:80])}`, or check the spelling",
        )
    guess = nearest(name, others)
    meant = f" Did you mean {guess}?" if guess else ""
    return Usage(
        f"css: there is no property {name[:80]!r}.{meant}",
        hint="name one as in a style sheet: color, font-size, margin-top",
    )


async def _find(ctx: Ctx, target: str) -> FoundElement:
    """Find an element even if its ref has changed: looking is harmless."""
    return await ctx.find(target, anyway=True)
