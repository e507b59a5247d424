"""Set a slider that is no input, by its keys, and look at where it stands."""

from browse.browser.driver_errors import translated
from browse.browser.elements.element import Element
from browse.browser.elements.page_changes import listening
from browse.browser.page import scripts
from browse.browser.page.sliding import SliderState
from browse.core.errors import BrowseError, Code

# So many keys are pressed at most; each page listens to all of them.
MAX_KEYS = 1_000
MAX_CORRECTIONS = 4
# How often a slider is looked at while it moves, and how long it may take to begin.
MAX_LOOKS = 50
TAKES_S = 0.4


async def set_to(slider: Element, typed: str) -> None:
    """Set a slider to a number; raise unless it stands there then."""
    wanted = _number(slider, typed, await scripts.SLIDER(slider.handle))
    async with slider.acting("focusing it"):
        await (await scripts.KEYED(slider.handle) or slider.handle).focus()
    step = 0.0
    for _ in range(MAX_CORRECTIONS):
        now = await _now(slider)
        if now == wanted:
            return
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
    now = await _now(slider)
    if now != wanted:
        raise _unmet(slider, wanted, now, step)


def _number(slider: Element, typed: str, state: SliderState) -> float:
    low, high = state.low, state.high
    goes = f"it goes from {low:g} to {high:g}" if low is not None and high is not None else ""
    try:
        wanted = float(typed)
    except ValueError:
        raise slider.not_actionable(
            f"is a slider and takes a number{': ' + goes if goes else ''}", "browse fill @e5 40"
        ) from None
    if not (low is None or low <= wanted) or not (high is None or wanted <= high):
        raise slider.not_actionable(f"does not go to {wanted:g}: {goes or 'it ends before'}", goes)
    return wanted


def _unmet(slider: Element, wanted: float, now: float, step: float) -> BrowseError:
    how = f"a key moves it by {step:g}" if step else "its keys do not move it"
    return BrowseError(
        Code.UNMET,
        f"{slider.word} is not at {wanted:g}: it stands at {now:g}, and {how}.",
        hint=f"browse press ArrowRight --on {slider.word}, or drag what it is moved by:"
        " browse drag <handle> --by 40,0",
    )


async def _press(slider: Element, key: str, times: int = 1) -> None:
    with translated("pressing the key"):
        for _ in range(times):
            await slider.tab.page.keyboard.press(key)


async def _led(slider: Element, before: float, to: float | None) -> float:
    """Return where keys led a slider, from `before`; frameworks draw that a moment later."""
    async with listening(slider.tab) as changes:
        for _ in range(MAX_LOOKS):
            await changes.expect_next()
            now = await _now(slider)
            if now == to or (to is None and now != before):
                break
            await changes.next(TAKES_S)
            if await _now(slider) == now:
                break
    return await _now(slider)


async def _now(slider: Element) -> float:
    state = await scripts.SLIDER(slider.handle)
    if state.now is None:
        raise slider.not_actionable(
            "does not tell where it stands", "drag it: browse drag <handle> --by 40,0"
        )
    return state.now
