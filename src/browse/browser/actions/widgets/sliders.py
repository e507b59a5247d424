"""Set a slider that is no input, by its keys or by dragging, and look at where it stands."""

import math

from msgspec.structs import replace as altered

from browse.browser.actions import dragging
from browse.browser.driver_errors import disabled, translated
from browse.browser.elements.element import Element
from browse.browser.elements.page_changes import listening
from browse.browser.page import scripts
from browse.browser.page.sliding import SliderState
from browse.core.errors import BrowseError, Code

# So many keys are pressed at most; each page listens to all of them.
MAX_KEYS = 1_000
MAX_CORRECTIONS = 4
MAX_DRAGS = 8
# How often a slider is looked at while it moves, and how long it may take to begin.
MAX_LOOKS = 50
TAKES_S = 0.4
# How far a slider is dragged to see how far that is, and how near it must come.
PROBE_PX = 10
NEAR = {True: 0.06, False: 1e-9}


async def handle_of(element: Element) -> Element | None:
    """Find what is moved of the slider that an element is."""
    handle = await scripts.SLIDER_HANDLE(element.handle)
    return altered(element, handle=handle) if handle else None


async def set_to(slider: Element, typed: str) -> None:
    """Set a slider to a number or a percentage; raise unless it stands there then."""
    state = await scripts.SLIDER(slider.handle)
    wanted = _number(slider, typed, state)
    if (await slider.facts()).disabled:
        raise disabled(slider.word, "filling it")
    async with slider.acting("focusing it"):
        await (await scripts.KEYED(slider.handle) or slider.handle).focus()
    step = await _by_keys(slider, wanted)
    now = await _now(slider)
    if not _is_at(now, wanted):
        await _by_mouse(slider, wanted)
        now = await _now(slider)
    if not _is_at(now, wanted):
        raise _unmet(slider, wanted, now, step)


def _is_at(state: SliderState, wanted: float) -> bool:
    return math.isclose(_value(state), wanted, abs_tol=NEAR[state.percent])


def _value(state: SliderState) -> float:
    return 0.0 if state.now is None else state.now


async def _by_keys(slider: Element, wanted: float) -> float:
    """Press keys until it stands there, or keys lead no nearer; return how far one moves it."""
    step = 0.0
    for _ in range(MAX_CORRECTIONS):
        state = await _now(slider)
        now = _value(state)
        if _is_at(state, wanted):
            break
        toward, back = ("ArrowRight", "ArrowLeft") if now < wanted else ("ArrowLeft", "ArrowRight")
        await _press(slider, toward)
        led = await _led(slider, now, None)
        step = abs(led - now)
        if not step:
            break
        if abs(led - wanted) > abs(now - wanted):  # it goes the other way round
            toward = back
        left = round(abs(led - wanted) / step)
        if left > MAX_KEYS or led == wanted:
            break
        await _press(slider, toward, left)
        await _led(slider, led, wanted)
    return step


async def _led(slider: Element, before: float, to: float | None) -> float:
    """Return where keys led a slider, from `before`; frameworks draw that a moment later."""
    async with listening(slider.tab) as changes:
        for _ in range(MAX_LOOKS):
            await changes.expect_next()
            state = await _now(slider)
            now = _value(state)
            if (to is None and now != before) or (to is not None and _is_at(state, to)):
                break
            await changes.next(TAKES_S)
            if _value(await _now(slider)) == now:
                break
    return _value(await _now(slider))


async def _by_mouse(slider: Element, wanted: float) -> None:
    """Drag it to where it should stand, measuring how far a drag moves it."""
    with translated("looking at its track"):
        track = await slider.handle.query_selector("xpath=..")
        box = await track.bounding_box() if track else None
    is_tall = bool(box and box["height"] > box["width"])
    is_up = wanted > _value(await _now(slider))
    pixels: float = PROBE_PX if is_up is not is_tall else -PROBE_PX
    is_measured = False
    for _ in range(MAX_DRAGS):
        before = _value(await _now(slider))
        if abs(pixels) < 1:
            break
        dx, dy = (0, round(pixels)) if is_tall else (round(pixels), 0)
        await dragging.drag_by(slider, dx, dy)
        state = await _now(slider)
        led = _value(state)
        if _is_at(state, wanted) or (is_measured and led == before):
            break
        if led == before:  # its steps are longer, or it stands at its end and goes the other way
            pixels *= -3
            continue
        is_measured = True
        pixels = round(pixels) * (wanted - led) / (led - before)


async def type_number(spin: Element, typed: str) -> None:
    """Type into a part of a date or into another spinbutton; raise unless it holds it."""
    async with spin.acting("focusing it"):
        await spin.handle.focus()
    for letter in typed:
        if not (await spin.facts()).active:  # it was enough, and the next part has the focus
            break
        with translated("typing"):
            await spin.tab.page.keyboard.type(letter)
    state, held = await scripts.SLIDER(spin.handle), await scripts.VALUE(spin.handle, reveal=False)
    shown = held.values[0] if held and held.values else ""
    if typed.strip() not in (shown, f"{state.now:g}" if state.now is not None else "") and (
        not typed.isdecimal() or state.now != int(typed)
    ):
        raise BrowseError(
            Code.UNMET,
            f"{spin.word} was typed into, but it holds something else now.",
            hint="look with `browse snapshot -i`; it may take fewer characters, or ArrowUp:"
            f" browse press ArrowUp --on {spin.word}",
            page=f"value: {shown}" if shown else "",
        )


def _number(slider: Element, typed: str, state: SliderState) -> float:
    low, high = state.low, state.high
    goes = f"it goes from {low:g} to {high:g}" if low is not None and high is not None else ""
    share = typed.endswith("%")
    try:
        wanted = float(typed.removesuffix("%"))
    except ValueError:
        raise slider.not_actionable(
            f"is a slider and takes a number{': ' + goes if goes else ''}", "browse fill @e5 40"
        ) from None
    if state.percent and not share:
        raise slider.not_actionable(
            f"is a slider that tells no number: it is at {_value(state):g}% of its way",
            f"give a percentage: browse fill {slider.word} {typed}%; or move it by keys:"
            f" browse press ArrowRight --on {slider.word} --times 5",
        )
    if share and not state.percent and low is not None and high is not None:
        wanted = low + (high - low) * wanted / 100
    if not (low is None or low <= wanted) or not (high is None or wanted <= high):
        raise slider.not_actionable(f"does not go to {wanted:g}: {goes or 'it ends before'}", goes)
    return wanted


def _unmet(slider: Element, wanted: float, now: SliderState, step: float) -> BrowseError:
    how = f"a key moves it by {step:g}" if step else "its keys do not move it"
    unit = "%" if now.percent else ""
    return BrowseError(
        Code.UNMET,
        f"{slider.word} is not at {wanted:g}{unit}: it stands at {_value(now):g}{unit}, and {how}.",
        hint=f"browse press ArrowRight --on {slider.word}, or drag what it is moved by:"
        " browse drag <handle> --by 40,0",
    )


async def _press(slider: Element, key: str, times: int = 1) -> None:
    with translated("pressing the key"):
        for _ in range(times):
            await slider.tab.page.keyboard.press(key)


async def _now(slider: Element) -> SliderState:
    state = await scripts.SLIDER(slider.handle)
    if state.now is None:
        raise slider.not_actionable(
            "does not tell where it stands", "drag it: browse drag <handle> --by 40,0"
        )
    return state
