"""Keyboard commands: `focus`, `type`, `paste`, `press`, `keydown`, `keyup`."""

from collections.abc import Mapping
from typing import Annotated, Any

from browse.browser.actions import click_and_fill, keyboard
from browse.browser.tabs.refs import parse as parse_ref
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.secrets import MASK
from browse.guard.stand_ins import STAND_INS
from browse.registry.params import Doc, Param, Secret, Selector, whole
from browse.registry.results import Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Alias, Group, command

PER_CHARACTER_S = 0.02
PER_PRESS_S = 0.1
LOST = (
    "; meanwhile the page has replaced that field, and nothing has the focus now, so a part may"
    " have gone nowhere: look with `browse snapshot -i`, or use `browse fill`"
)


def _noted(key: str) -> str:
    """Return a key for a log: one that types may be part of a password."""
    return MASK if keyboard.types_text(keyboard.parse_keys(key)) else key


Key = Annotated[str, Param("key", lambda raw, _: keyboard.parse_keys(raw), noted=_noted)]
OneKey = Annotated[str, Param("key", lambda raw, _: keyboard.parse_one_key(raw), noted=_noted)]
On = Annotated[Selector | None, Doc("Focus this element first.")]
Times = Annotated[int, whole(1, 500)]


def _into(words: list[str]) -> list[str]:
    """Take `type @e3 hello` as `type --on @e3 hello`; `type -- @e3 hello` types all of it."""
    if not words or parse_ref(words[0]) is None:
        return words
    if len(words) == 1:
        raise Usage(
            f"there is no text for {words[0]}",
            hint=f"browse type {words[0]} <text>, browse paste {words[0]} - < file;"
            f" browse type -- {words[0]} types that itself",
        )
    return [f"--on={words[0]}", *words[1:]]


def _onto(words: list[str]) -> list[str]:
    """Take `press @e3 Enter` as `press Enter --on @e3`."""
    if len(words) == 2 and parse_ref(words[0]):
        return [words[1], f"--on={words[0]}"]
    return words


def _typing_s(values: Mapping[str, Any]) -> float:
    characters = sum(len(word) + 1 for word in (values["text"], *values["more"]))
    return DEFAULT_DEADLINE_S + characters * PER_CHARACTER_S


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def focus(ctx: Ctx, target: Selector | None = None) -> Text:
    """Focus an element, for `type` and `press`; in a window, also bring that to the front.

    Without an element it only brings the window to the front (`browse connect` opens one).

    Examples:
        browse focus @e5
        browse focus 'label=Search'
        browse focus
    """
    headed = ctx.browser.mode == "headed"
    if target is None and not headed:
        raise Usage(
            "focus needs a target here: the browser has no window",
            hint="browse focus <selector>; or open a window first: `browse connect`",
        )
    element = await ctx.find_element(target) if target else None
    if headed:
        from browse.browser.window.front import to_front  # nobody else needs it

        await to_front(ctx.tab)
    if element is None:
        return Text("Browser window activated.", {"activated": True, "changed": True})
    moved = await click_and_fill.focus(element)
    activated = f"Browser activated. Scrolled {target} into view.\n" if headed else ""
    facts = {"target": target, "changed": moved, "activated": headed}
    return Text(f"{activated}Focused {target}", facts)


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    deadline=_typing_s,
    name="type",
    aliases=(Alias("keyboard type"),),
    respell=_into,
)
async def type_(ctx: Ctx, text: Secret, *more: Secret, on: On = None) -> Text:
    """Type text, key by key, into the focused element, or into the element that a ref names.

    The reply does not repeat the text. Several lines with indentation go into an editor as one
    insertion, as `paste` does it: an editor that indents by itself would indent them twice. `fill`
    replaces a value at once and needs no focus.

    Examples:
        browse type hello world
        browse type @e5 hello world
        browse type --on '#search' tea
    """
    words = await _before_text(ctx, " ".join([text, *more]), on)
    typed = await keyboard.type_text(ctx.tab.page, words, ctx.seen)
    ctx.typed_secret |= typed.secret
    count = len(words)
    done = f"Typed {counted(count, 'character')}" + (f" into {on}" if on else "")
    how = ", as one insertion that keeps the indentation" if typed.whole else ""
    lost = LOST if typed.lost else ""
    facts = {"typed": count, "target": on, "whole": typed.whole, "lost": typed.lost}
    return Text(done + how + lost + _holding(ctx), facts)


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    reads_stdin=True,
    aliases=("insert", "inserttext", Alias("keyboard inserttext")),
    respell=_into,
)
async def paste(ctx: Ctx, *text: Secret, on: On = None) -> Text:
    """Insert text at once, as a paste does, into the focused element or the element of a ref.

    Without text, or with `-`, it is read from stdin, and keeps its lines and indentation. What is
    selected is replaced, the rest stays. The clipboard is neither read nor changed.

    Examples:
        browse paste --on '#code' < script.py
        browse paste @e5 - < script.py
        browse paste several words
    """
    is_typed = bool(text) and text != ("-",)
    given = " ".join(text) if is_typed else ctx.call.stdin.decode("utf-8", "replace")
    if not given:
        raise Usage(
            "paste: there is no text, and stdin is empty",
            hint="browse paste <text>, or: browse paste --on <selector> < file",
        )
    words = await _before_text(ctx, given, on)
    if not is_typed:  # another run has no such stdin
        ctx.steps.append((*([f"--on={on}"] if on else []), "--", given))
    pasted = await keyboard.paste(ctx.tab.page, words, ctx.seen)
    ctx.typed_secret |= pasted.secret
    into = f" into {on}" if on else ""
    facts = {"pasted": len(words), "target": on}
    return Text(f"Pasted {counted(len(words), 'character')}{into}{_holding(ctx)}", facts)


async def _before_text(ctx: Ctx, words: str, on: str | None) -> str:
    """Focus where text is to go; return it, or the secret that it stands for."""
    secret = STAND_INS.meant(words)
    ctx.typed_secret = secret is not None
    _ = ctx.tab.frame  # a crashed tab says so
    await _focus(ctx, on)
    return words if secret is None else secret


def _pressing_s(values: Mapping[str, Any]) -> float:
    return DEFAULT_DEADLINE_S + float(values["times"] * PER_PRESS_S)


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    deadline=_pressing_s,
    aliases=("keys", "key", Alias("keyboard press")),
    respell=_onto,
)
async def press(
    ctx: Ctx,
    key: Key,
    *,
    on: On = None,
    times: Annotated[Times, Doc("Press it so many times; default 1.")] = 1,
) -> Text:
    """Press a key or a key combination in the focused element.

    Keys have the names that Playwright uses: Enter, Tab, Escape, ArrowDown, PageUp, F5, a, 7;
    modifiers come first: Shift+Tab, Control+A, ControlOrMeta+c. `press @e4 Enter` focuses @e4
    first.

    Examples:
        browse press Enter
        browse press Control+A
        browse press ArrowDown --on @e4 --times 3
    """
    _ = ctx.tab.frame  # a crashed tab says so
    await _focus(ctx, on)
    for _ in range(times):
        ctx.typed_secret |= await keyboard.press(ctx.tab.page, key, ctx.seen)
    done = f"Pressed {key}" + (f" {times} times" if times > 1 else "") + (f" on {on}" if on else "")
    return Text(done + _holding(ctx), {"key": key, "target": on, "times": times})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def keydown(ctx: Ctx, key: OneKey) -> Text:
    """Press a key and hold it, until `keyup` or until the tab is closed.

    Clicks and keys of later commands happen with the key held.

    Examples:
        browse keydown Shift
    """
    _ = ctx.tab.frame  # a crashed tab says so
    ctx.typed_secret = await keyboard.hold(ctx.tab, key)
    return Text(f"Holding {', '.join(ctx.tab.held_keys)}", _held(ctx, key))


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def keyup(
    ctx: Ctx, key: Annotated[OneKey | None, Doc("The key; without one, all that are held.")] = None
) -> Text:
    """Release a key that `keydown` holds.

    Examples:
        browse keyup Shift
        browse keyup
    """
    _ = ctx.tab.frame  # a crashed tab says so
    released = await keyboard.release(ctx.tab, key)
    if not released:
        text = f"{key} was not held{_holding(ctx)}" if key else "No key was held"
        return Text(text, _held(ctx, key))
    return Text(f"Released {', '.join(released)}{_holding(ctx)}", _held(ctx, key))


def _held(ctx: Ctx, key: str | None) -> dict[str, Any]:
    return {"key": key, "held": list(ctx.tab.held_keys)}


def _holding(ctx: Ctx) -> str:
    held = ctx.tab.held_keys
    return f" (holding {', '.join(held)})" if held else ""


async def _focus(ctx: Ctx, target: str | None) -> None:
    if target is not None:
        await click_and_fill.focus(await ctx.find_element(target))
