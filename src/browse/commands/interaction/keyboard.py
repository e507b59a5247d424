"""Acting on a page with the keyboard."""

from collections.abc import Mapping
from typing import Annotated, Any

from browse.browser.actions import click_and_fill, keyboard
from browse.browser.elements.element import hold
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Param, Secret, Selector
from browse.registry.results import Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Group, command

PER_CHARACTER_S = 0.02
Key = Annotated[str, Param("key", lambda raw, _: keyboard.chord(raw))]


def _typing_s(values: Mapping[str, Any]) -> float:
    characters = sum(len(word) + 1 for word in (values["text"], *values["more"]))
    return DEFAULT_DEADLINE_S + characters * PER_CHARACTER_S


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def focus(ctx: Ctx, target: Selector | None = None) -> Text:
    """Give an element the focus, for `type` and `press`.

    Examples:
        browse focus @e5
        browse focus 'label=Search'
    """
    if target is None:
        raise Usage(
            "focus needs a target here: the browser has no window",
            hint="browse focus <selector>; `browse snapshot -i` lists what takes the focus",
        )
    moved = await click_and_fill.focus(await hold(ctx.tab, target, anyway=ctx.anyway))
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
    """Type text, key by key, into whatever has the focus.

    The reply does not repeat the text. `fill` replaces a value in one go and needs no focus.

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
    on: Annotated[Selector | None, Doc("Give this element the focus first.")] = None,
) -> Text:
    """Press a key, or several together, for whatever has the focus.

    Keys are called as in Playwright: Enter, Tab, Escape, ArrowDown, PageUp, F5, a, 7; held keys
    come first: Shift+Tab, Control+A, ControlOrMeta+c.

    Examples:
        browse press Enter
        browse press Control+A
        browse press ArrowDown --on @e4
    """
    _ = ctx.tab.frame  # a crashed tab says so
    if on is not None:
        await click_and_fill.focus(await hold(ctx.tab, on, anyway=ctx.anyway))
    ctx.typed_secret = await keyboard.press(ctx.tab.page, key)
    return Text(f"Pressed {key}" + (f" on {on}" if on else ""), {"key": key, "target": on})
