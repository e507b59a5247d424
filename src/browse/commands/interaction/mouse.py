"""Acting on a page with the mouse, and scrolling it."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from browse.browser.actions import mouse as pointer
from browse.browser.actions import scrolling
from browse.browser.actions.click_and_fill import Button
from browse.browser.elements.element import hold
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import MAX_WAIT_MS, Doc, Millis, Param, Selector, Surroundings, whole
from browse.registry.results import Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Group, command

DEFAULT_WAIT_MS = 1000
PER_SCROLL_S = 0.5
FARTHEST = 1_000_000
DIRECTIONS = {"up": "--by 0,-600", "down": "--by 0,600", "top": "--to top", "bottom": "--to bottom"}


def _pair(raw: str, env: Surroundings) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(?:(-?\d{1,7})\s*,\s*)?(-?\d{1,7})\s*", raw, re.ASCII)
    if not found or any(abs(int(number)) > FARTHEST for number in found.groups("0")):
        raise Usage(
            f"{raw[:40]!r} is not a distance in pixels", hint="give dx,dy as in 0,600 or -200,0"
        )
    return int(found[1] or 0), int(found[2])


def _scrolling_s(values: Mapping[str, Any]) -> float:
    times = values["times"] or 1
    wait_ms = DEFAULT_WAIT_MS if values["wait"] is None else values["wait"]
    return DEFAULT_DEADLINE_S + float(times * (wait_ms / 1000 + PER_SCROLL_S))


Offset = Annotated[tuple[int, int], Param("dx,dy", _pair)]
Times = Annotated[int, whole(1, 1000)]


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def hover(ctx: Ctx, target: Selector) -> Text:
    """Move the mouse over an element.

    Examples:
        browse hover @e3
        browse hover 'text=Products' --snapshot
    """
    shown = await pointer.hover(await hold(ctx.tab, target, anyway=ctx.anyway))
    return Text(f"Hovered {target}", {"target": target, "changed": shown})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def drag(
    ctx: Ctx,
    source: Annotated[Selector, Doc("What to drag.", metavar="from")],
    target: Annotated[Selector, Doc("Where to let go of it.", metavar="to")],
) -> Text:
    """Drag an element onto another one and let go of it there.

    Examples:
        browse drag @e3 @e8
        browse drag '#card-1' '#done'
    """
    dragged = await hold(ctx.tab, source, anyway=ctx.anyway)
    await pointer.drag(dragged, await hold(ctx.tab, target, anyway=ctx.anyway))
    return Text(f"Dragged {source} to {target}", {"source": source, "target": target})


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    deadline=_scrolling_s,
    mutates=False,
)
async def scroll(
    ctx: Ctx,
    target: Selector | None = None,
    *,
    by: Annotated[Offset | None, Doc("So many pixels right and down; -200,0 is left.")] = None,
    to: Annotated[Literal["top", "bottom"] | None, Doc("To this end.")] = None,
    times: Annotated[Times | None, Doc("So often, to make a page load more.")] = None,
    wait: Annotated[
        Millis | None, Doc("Milliseconds between two times; 1000 if not given.")
    ] = None,
) -> Text:
    """Scroll to the end of the page, or an element into view.

    With --by or --to an element is scrolled inside, if it scrolls. Where the page itself does not
    scroll, the largest thing in it that does is meant. With --times it stops early when twice in a
    row nothing moved and nothing came.

    Examples:
        browse scroll
        browse scroll @e12
        browse scroll --by 0,600
        browse scroll '.list' --to bottom --times 5 --wait 500
    """
    _require_sense(target, by, to, times, wait)
    element = await hold(ctx.tab, target, anyway=ctx.anyway) if target else None
    way = scrolling.Way(by, to)
    step = partial(scrolling.once, ctx.tab, element, way)
    if times is None:
        led = await step()
        facts = {"target": target, "x": led.x, "y": led.y, "changed": led.moved}
        return Text(_done(target, by, to), facts)
    wait_ms = DEFAULT_WAIT_MS if wait is None else wait
    done = await scrolling.repeated(step, times, wait_ms)
    inside = f" ({target})" if target else ""
    so_many = f"{done}" if done == times else f"{done} of {times}"
    plural = "" if times == 1 else "s"
    ending = "" if done == times else ": nothing more came"
    return Text(
        f"Scrolled {so_many} time{plural}{inside} with {wait_ms}ms delay{ending}",
        {"target": target, "times": done, "asked": times},
    )


def _require_sense(
    target: str | None,
    by: tuple[int, int] | None,
    to: str | None,
    times: int | None,
    wait: int | None,
) -> None:
    if by and to:
        raise Usage("scroll: --by and --to cannot be combined", hint="leave one of them out")
    if wait is not None and times is None:
        raise Usage("scroll: --wait is the pause between several times", hint="add --times <N>")
    if (times or 0) * (wait if wait is not None else DEFAULT_WAIT_MS) > MAX_WAIT_MS:
        raise Usage(
            f"scroll: that would take longer than {MAX_WAIT_MS // 1000} s",
            hint="lower --times or --wait; scroll again for more",
        )
    if target in DIRECTIONS:
        raise Usage(
            f"scroll: {target} is a direction, not an element",
            hint=f"browse scroll {DIRECTIONS[target]}",
        )


def _done(target: str | None, by: tuple[int, int] | None, to: str | None) -> str:
    inside = f"{target} " if target else ""
    if by:
        return f"Scrolled {inside}by {by[0]},{by[1]}"
    if target and not to:
        return f"Scrolled {target} into view"
    return f"Scrolled {inside}to {to or 'bottom'}"


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def mouse(
    ctx: Ctx,
    act: Annotated[Literal["move", "down", "up", "wheel"], Doc("What to do with it.")],
    *numbers: str,
    button: Annotated[Button | None, Doc("Which button goes down or up; left if none.")] = None,
) -> Text:
    """Use the mouse by places: for canvases, maps and games, where no element can be named.

    `move` takes x and y in CSS pixels from the top left of the window, `wheel` takes dx and dy.
    The mouse stays where it was moved to.

    Examples:
        browse mouse move 200 150
        browse mouse down --button right
        browse mouse up
        browse mouse wheel 0 400
    """
    if button and act not in ("down", "up"):
        raise Usage(f"mouse: {act} takes no --button", hint="give it to `mouse down` or `mouse up`")
    _ = ctx.tab.frame  # a crashed tab says so
    if act in ("down", "up"):
        _numbers(act, numbers, 0)
        which: Button = button or "left"
        await pointer.button(ctx.tab, act, which)
        return Text(f"Mouse {act} ({which})", {"act": act, "button": which})
    x, y = _numbers(act, numbers, 2)
    if act == "move":
        shown = await pointer.move(ctx.tab, x, y)
        return Text(f"Mouse moved to {x},{y}", {"act": act, "x": x, "y": y, "changed": shown})
    await pointer.wheel(ctx.tab, x, y)
    return Text(f"Wheel turned by {x},{y}", {"act": act, "x": x, "y": y})


def _numbers(act: str, words: Sequence[str], count: int) -> list[int]:
    """Read the numbers that follow; `200 150` and `200,150` are the same."""
    parts = [part for word in words for part in word.split(",")]
    if len(parts) != count or not all(re.fullmatch(r"-?\d{1,6}", part, re.ASCII) for part in parts):
        raise Usage(
            f"mouse: {act} takes {'two whole numbers' if count else 'no numbers'}",
            hint=f"browse mouse {act} 200 150" if count else f"browse mouse {act}",
        )
    return [int(part) for part in parts]
