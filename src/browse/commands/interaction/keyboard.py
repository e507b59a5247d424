"""Keyboard commands: `focus`, `type`, `press`."""

from collections.abc import Mapping
from typing import Annotated, Any

from browse.browser.actions import click_and_fill, keyboard
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.guard.secrets import MASK
from browse.registry.params import Doc, Param, Secret, Selector
from browse.registry.results import Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Group, command

PER_CHARACTER_S = 0.02


def _noted(key: str) -> str:
    """Return a key for a log: one that types may be part of a password."""
    return MASK if keyboard.types_text(keyboard.parse_keys(key)) else key


Key = Annotated[str, Param("key", lambda raw, _: keyboard.parse_keys(raw), noted=_noted)]


def _typing_s(values: Mapping[str, Any]) -> float:
    characters = sum(len(word) + 1 for word in (values["text"], *values["more"]))
    return DEFAULT_DEADLINE_S + characters * PER_CHARACTER_S


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def focus(ctx: Ctx, target: Selector | None = None) -> Text:
    """Focus an element, for `type` and `press`.

    Examples:
        browse focus @e5
        browse focus 'label=Search'
    """
    if target is None:
        raise Usage(
            "focus needs a target here: the browser has no window",
            hint="browse focus <selector>; `browse snapshot -i` lists the interactive elements",
        )
    moved = await click_and_fill.focus(await ctx.find_element(target))
    return Text(f"Focused {target}", {"target": target, "changed": moved})


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    deadline=_typing_s,
    name="type",
)
async def type_(ctx: Ctx, text: Secret, *more: Secret) -> Text:
    """Type text, key by key, into the focused element.

    The reply does not repeat the text. `fill` replaces a value at once and needs no focus.

    Examples:
        browse type hello world
    """
    words = " ".join([text, *more])
    _ = ctx.tab.frame  # a crashed tab says so
    ctx.typed_secret = await keyboard.type_text(ctx.tab.page, words)
    count = len(words)
    return Text(f"Typed {count} character{'' if count == 1 else 's'}", {"typed": count})


@command(group=Group.INTERACTION, scope=Scope.WRITE, surfaces=ANYWHERE, acts=True)
async def press(
    ctx: Ctx,
    key: Key,
    *,
    on: Annotated[Selector | None, Doc("Focus this element first.")] = None,
) -> Text:
    """Press a key or a key combination in the focused element.

    Keys have the names that Playwright uses: Enter, Tab, Escape, ArrowDown, PageUp, F5, a, 7;
    modifiers come first: Shift+Tab, Control+A, ControlOrMeta+c.

    Examples:
        browse press Enter
        browse press Control+A
        browse press ArrowDown --on @e4
    """
    _ = ctx.tab.frame  # a crashed tab says so
    if on is not None:
        await click_and_fill.focus(await ctx.find_element(on))
    ctx.typed_secret = await keyboard.press(ctx.tab.page, key)
    return Text(f"Pressed {key}" + (f" on {on}" if on else ""), {"key": key, "target": on})
