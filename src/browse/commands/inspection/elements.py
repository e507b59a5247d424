"""Looking at one element: its state, its attributes, its style."""

import re
import shlex
from typing import Literal

import msgspec

from browse.browser.elements.target import Target, find
from browse.browser.page import scripts, shapes
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import nearest
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import entire
from browse.guard.secrets import hidden, names_a_secret, redacted
from browse.registry.params import Selector
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, command

State = Literal["visible", "hidden", "enabled", "disabled", "checked", "editable", "focused"]
# States that are the absence of another.
OPPOSITE = {"hidden": "visible", "enabled": "disabled"}
# Attributes that hold what the element is named after.
HOLDERS = ("value", "content")


@command(group=Group.INSPECTION, scope=Scope.READ, name="is")
async def is_(ctx: Ctx, state: State, target: Selector) -> Text:
    """Tell whether an element is in a state: true or false. Does not wait.

    What ARIA says counts (aria-checked, aria-disabled). An element that is not there is hidden;
    for the other states it is an error.

    Examples:
        browse is visible '#result'
        browse is checked @e4
        browse is enabled 'text=Save'
    """
    value = await _state(ctx, state, target)
    return Text("true" if value else "false", {"value": value})


async def _state(ctx: Ctx, state: State, target: str) -> bool:
    try:
        found = await _looked_at(ctx, target)
    except BrowseError as exc:
        if state in ("visible", "hidden") and exc.code in (Code.NO_MATCH, Code.REF_STALE):
            return state == "hidden"
        raise
    value = await scripts.STATE(found.place, state=OPPOSITE.get(state, state))
    if value is None:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{target[:80]!r} is nothing that can be checked.",
            hint="aim at the checkbox, radio button or switch itself: `browse snapshot -i`",
        )
    return not value if state in OPPOSITE else value


@command(group=Group.INSPECTION, scope=Scope.READ, surfaces=ANYWHERE)
async def attrs(ctx: Ctx, target: Selector) -> PageText:
    """Print an element's attributes as JSON. Secrets, such as a password's value, are left out.

    Examples:
        browse attrs '#login'
        browse attrs @e3
    """
    found = await _looked_at(ctx, target)
    read, concealed = await scripts.ATTRIBUTES.read(found.place)
    shown = dict(read.attributes) if ctx.reveal else without_secrets(read)
    text = msgspec.json.format(msgspec.json.encode(shown), indent=2).decode()
    return entire(ctx, text, concealed, attributes=shown)


def without_secrets(read: shapes.Attributes) -> dict[str, str]:
    """Leave out the values that nobody should read: by attribute, by field, by how they begin."""
    given = dict(read.attributes)
    secret = read.secret or any(names_a_secret(given.get(name, "")) for name in ("name", "id"))
    return {
        name: hidden(value) if secret and name in HOLDERS else redacted(name, value)
        for name, value in given.items()
    }


@command(group=Group.INSPECTION, scope=Scope.READ)
async def css(ctx: Ctx, target: Selector, property: str) -> PageText:
    """Print the computed value of a CSS property of an element.

    For a custom property, write `--` before it.

    Examples:
        browse css h1 font-size
        browse css @e3 background-color
        browse css main -- --accent
    """
    found = await _looked_at(ctx, target)
    name = dashed(property)
    styled = await scripts.COMPUTED_STYLE(found.place, property=name)
    if not styled.known:
        raise _unknown(name, target, styled.others)
    return PageText(
        styled.value, ctx.tab.url, from_page(url=ctx.tab.url, property=name, value=styled.value)
    )


def dashed(property: str) -> str:
    """Spell a property as CSS does: backgroundColor is background-color. Custom ones stay."""
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


async def _looked_at(ctx: Ctx, target: str) -> Target:
    """Find an element whatever it is called by now: to look is harmless."""
    return await find(ctx.tab, target, anyway=True)
