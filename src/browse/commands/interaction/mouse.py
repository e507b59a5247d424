"""Mouse commands and scrolling."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from browse.browser.actions import dragging, scrolling
from browse.browser.actions import mouse as pointer
from browse.browser.actions.click_and_fill import Button
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import MAX_WAIT_MS, Doc, Millis, Param, Selector, Surroundings, whole
from browse.registry.results import Text
from browse.registry.spec import DEFAULT_DEADLINE_S, Alias, Family, Group, command

DEFAULT_WAIT_MS = 1000
PER_SCROLL_S = 0.5
FARTHEST = 1_000_000
DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ENDS = ("top", "bottom")
DEFAULT_PX = 600


def _pair(raw: str, env: Surroundings) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(?:(-?\d{1,7})\s*,\s*)?(-?\d{1,7})\s*", raw, re.ASCII)
    if not found or any(abs(int(number)) > FARTHEST for number in found.groups("0")):
        raise Usage(
            f"{raw[:40]!r} is not a distance in pixels", hint="give dx,dy as in 0,600 or -200,0"
        )
    return int(found[1] or 0), int(found[2])


def _both(raw: str, env: Surroundings) -> tuple[int, int]:
    if "," not in raw:
        raise Usage(
            f"{raw[:40]!r} is one number; it takes two, right and down", hint="as in 40,0 or 0,-25"
        )
    return _pair(raw, env)


def _direction(words: list[str]) -> list[str]:
    """Take `scroll down 500` as `scroll --by 0,500`, and `scroll top` as `scroll --to top`."""
    way, *rest = words or [""]
    if way in ENDS and not rest:
        return [f"--to={way}"]
    if way not in DIRECTIONS or len(rest) > 1 or not all(map(str.isdecimal, rest)):
        return words
    across, down = DIRECTIONS[way]
    pixels = int(rest[0]) if rest else DEFAULT_PX
    return [f"--by={across * pixels},{down * pixels}"]


def _scrolling_s(values: Mapping[str, Any]) -> float:
    times = values["times"] or 1
    wait_ms = DEFAULT_WAIT_MS if values["wait"] is None else values["wait"]
    return DEFAULT_DEADLINE_S + float(times * (wait_ms / 1000 + PER_SCROLL_S))


Offset = Annotated[tuple[int, int], Param("dx,dy", _pair)]
Both = Annotated[tuple[int, int], Param("dx,dy", _both)]
Times = Annotated[int, whole(1, 1000)]


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True, mutates=False)
async def hover(ctx: Ctx, target: Selector) -> Text:
    """Move the mouse over an element.

    Examples:
        browse hover @e3
        browse hover 'text=Products' --snapshot
    """
    found = await ctx.find(target, anyway=ctx.anyway, use="point")
    await pointer.hover(ctx.tab, target, found, ctx.seen)
    return Text(f"Hovered {target}", {"target": target})


@command(group=Group.INTERACTION, scope=Scope.WRITE, acts=True)
async def drag(
    ctx: Ctx,
    source: Annotated[Selector, Doc("The element to drag.", metavar="from")],
    target: Annotated[Selector | None, Doc("The element to drop it on.", metavar="to")] = None,
    *,
    before: Annotated[bool, Doc("Drop it before that element of a list.")] = False,
    behind: Annotated[
        bool, Doc("Drop it after that element of a list.", also=("--after",))
    ] = False,
    at: Annotated[Both | None, Doc("Drop it here, from that element's corner.")] = None,
    by: Annotated[Both | None, Doc("Drag it by pixels, right and down.")] = None,
) -> Text:
    """Drag an element and drop it on another one.

    It is dropped in the middle of what can be seen of that. With --before or --after (the same
    as --behind), the order in the page is looked at when it was dropped, and must be as asked.

    Examples:
        browse drag @e3 @e8
        browse drag '#card-3' '#card-1' --before
        browse drag @e3 '#canvas' --at 120,80
        browse drag '#knob' --by 40,0
    """
    if (target is None) == (by is None) or sum((before, behind, at is not None)) > (by is None):
        raise Usage(
            "drag: name an element to drop it on, with one of --before, --after and --at or none,"
            " or a distance with --by",
            hint="browse drag @e3 @e8 --before; browse drag @e3 --by 40,0",
        )
    dragged = await ctx.find_element(source)
    if target is None:
        across, down = by or (0, 0)
        dropped = await dragging.drag_by(dragged, across, down)
        done = f"Dragged {source} by {across},{down}"
    else:
        side: dragging.Side = "before" if before else "after" if behind else ""
        onto = await ctx.find_element(target)
        if side:
            dropped = await dragging.drag_beside(dragged, onto, side, ctx.patience)
        else:
            dropped = await dragging.drag_to(dragged, onto, at=at)
        done = f"Dragged {source} to {target}"
    return Text(done + _where(dropped, target), _dropped(source, target, dropped))


def _where(dropped: dragging.DropOutcome, target: str | None) -> str:
    if dropped.at is None:
        return ": it stood there already, nothing was dragged"
    said = ": dropped at {},{} of the window".format(*dropped.at)
    order = dropped.order
    if order is None:
        moved = dropped.moved if target is None else None
        return said + (f"; it moved by {moved[0]},{moved[1]}" if moved else "")
    if order.order == "gone":
        return f"{said}; the page has made a new element of it, so look where it is"
    return f"{said}; it stands {order.order} {target}, {order.number} of {order.count} in its list"


def _dropped(source: str, target: str | None, dropped: dragging.DropOutcome) -> dict[str, Any]:
    order = dropped.order
    return {
        "source": source,
        "target": target,
        "at": dropped.at,
        "moved": dropped.moved,
        "order": order and order.order,
        "number": order and order.number,
        "count": order and order.count,
    }


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    acts=True,
    deadline=_scrolling_s,
    mutates=False,
    aliases=("scrollintoview", "scroll-into-view", "scrollto"),
    respell=_direction,
)
async def scroll(
    ctx: Ctx,
    target: Selector | None = None,
    *,
    by: Annotated[Offset | None, Doc("Scroll by pixels, right and down; -200,0 is left.")] = None,
    to: Annotated[Literal["top", "bottom"] | None, Doc("Scroll to this end.")] = None,
    times: Annotated[Times | None, Doc("Repeat, to make the page load more.")] = None,
    wait: Annotated[Millis | None, Doc("Milliseconds between repetitions; default 1000.")] = None,
) -> Text:
    """Scroll to the end of the page, or scroll an element into view.

    With --by or --to, the content of a scrollable element is scrolled. If the page itself does not
    scroll, its largest scrollable element is used. With --times it stops early when nothing has
    moved and nothing was loaded twice in a row. `scroll down 500` is `scroll --by 0,500`.

    Examples:
        browse scroll
        browse scroll @e12
        browse scroll --by 0,600
        browse scroll up 300
        browse scroll '.list' --to bottom --times 5 --wait 500
    """
    _require_sense(target, by, to, times, wait)
    element = await ctx.find_element(target) if target else None
    way = scrolling.ScrollDistance(by, to)
    step = partial(scrolling.scroll, ctx.tab, element, way)
    if times is None:
        led = await step()
        facts = {"target": target, "x": led.x, "y": led.y, "changed": led.moved}
        return Text(_done(target, by, to), facts)
    wait_ms = DEFAULT_WAIT_MS if wait is None else wait
    done = await scrolling.scroll_repeatedly(step, times, wait_ms)
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


def _done(target: str | None, by: tuple[int, int] | None, to: str | None) -> str:
    inside = f"{target} " if target else ""
    if by:
        return f"Scrolled {inside}by {by[0]},{by[1]}"
    if target and not to:
        return f"Scrolled {target} into view"
    return f"Scrolled {inside}to {to or 'bottom'}"


MOUSE = Family(
    "mouse",
    Group.INTERACTION,
    "Use the mouse by coordinates: for canvases, maps and games, which have no elements to name.",
    "The mouse stays where it was moved to.",
)
Pressed = Annotated[Button, Doc("Which button; default left.")]


@command(family=MOUSE, scope=Scope.WRITE, acts=True, aliases=(Alias("mousemove"),))
async def mouse_move(
    ctx: Ctx,
    x: Annotated[str, Doc("CSS pixels from the left of the window; `200,150` is x and y.")],
    y: Annotated[str | None, Doc("CSS pixels from its top.")] = None,
) -> Text:
    """Move the mouse to a position in the window.

    Examples:
        browse mouse move 200 150
    """
    across, down = _numbers("move", x, y)
    _ = ctx.tab.frame  # raises if the tab has crashed
    shown = await pointer.move(ctx.tab, across, down)
    facts = {"act": "move", "x": across, "y": down, "changed": shown}
    return Text(f"Mouse moved to {across},{down}", facts)


@command(family=MOUSE, scope=Scope.WRITE, acts=True, aliases=(Alias("mousedown"),))
async def mouse_down(ctx: Ctx, *, button: Pressed = "left") -> Text:
    """Press a mouse button and hold it.

    Examples:
        browse mouse down --button right
    """
    return await _button(ctx, "down", button)


@command(family=MOUSE, scope=Scope.WRITE, acts=True, aliases=(Alias("mouseup"),))
async def mouse_up(ctx: Ctx, *, button: Pressed = "left") -> Text:
    """Release a mouse button.

    Examples:
        browse mouse up
    """
    return await _button(ctx, "up", button)


@command(family=MOUSE, scope=Scope.WRITE, acts=True, aliases=(Alias("mousewheel"),))
async def mouse_wheel(
    ctx: Ctx,
    dx: Annotated[str, Doc("CSS pixels to the right; `0,400` is dx and dy.")],
    dy: Annotated[str | None, Doc("CSS pixels down.")] = None,
) -> Text:
    """Turn the mouse wheel.

    Examples:
        browse mouse wheel 0 400
    """
    across, down = _numbers("wheel", dx, dy)
    _ = ctx.tab.frame  # raises if the tab has crashed
    await pointer.wheel(ctx.tab, across, down)
    return Text(f"Wheel turned by {across},{down}", {"act": "wheel", "x": across, "y": down})


async def _button(ctx: Ctx, act: Literal["down", "up"], which: Button) -> Text:
    _ = ctx.tab.frame  # raises if the tab has crashed
    await pointer.button(ctx.tab, act, which)
    return Text(f"Mouse {act} ({which})", {"act": act, "button": which})


def _numbers(act: str, *words: str | None) -> tuple[int, int]:
    """Parse two numbers; `200 150` and `200,150` are the same."""
    parts = [part for word in words if word is not None for part in word.split(",")]
    if len(parts) != 2 or not all(re.fullmatch(r"-?\d{1,6}", part, re.ASCII) for part in parts):
        raise Usage(f"mouse {act}: it takes two whole numbers", hint=f"browse mouse {act} 200 150")
    return int(parts[0]), int(parts[1])
