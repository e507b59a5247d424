"""Click, fill and focus one element."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, TypeVar, cast, get_args

from playwright.async_api import Error as DriverError

from browse.browser import driver_errors
from browse.browser.actions import editors
from browse.browser.actions.effects import ActionEffects
from browse.browser.actions.several_fields import no_text, other_command
from browse.browser.actions.widgets import calendars, sliders
from browse.browser.elements.departures import PageLeft, departure_of
from browse.browser.elements.element import ACTION_MS, Element, reach
from browse.browser.elements.page_changes import LATE_S, while_late, while_restless
from browse.browser.elements.target import FoundElement, Patience
from browse.browser.page import scripts
from browse.browser.page.shapes import Aim, FilledField, Point, PreparedField
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code, Usage
from browse.guard.credentials import TYPED

T = TypeVar("T")
Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
# What no editor is kept in.
PLAIN_FIELDS = ("input", "select", "button", "a")
# Types of inputs that take one form only, and for which the driver itself fires the change event.
FORMS = {
    "color": ("a colour", "#ff8800"),
    "date": ("a day", "2026-12-24"),
    "datetime-local": ("a day and a time", "2026-12-24T18:30"),
    "month": ("a month", "2026-12"),
    "range": ("a number", "a number"),
    "time": ("a time", "18:30"),
    "week": ("a week", "2026-W52"),
}


async def choose_option(option: Element) -> None:
    """Choose an option in the select that contains it."""
    async with option.acting("choosing it"):
        select = await option.handle.query_selector("xpath=ancestor::select")
        if select is None:
            raise option.not_actionable(
                "is not in a select", "look at it with `browse snapshot -i`"
            )
        await select.select_option(element=option.handle, timeout=ACTION_MS)


async def click(
    tab: Tab,
    word: str,
    found: FoundElement,
    *,
    button: Button,
    double: bool,
    held: str,
    patience: Patience | None,
    seen: ActionEffects,
) -> None:
    """Click an element as soon as it can be clicked.

    A disabled one is waited for while the page is not quiet, if there is patience.
    """
    keys = modifiers(held)

    first = found.aim

    async def look() -> Aim | None:
        nonlocal first
        aim, first = first or await scripts.AIM(found.frame, guard=not keys), None
        return None if aim.disabled else aim

    aim = await _when_enabled(tab, word, look, patience, "clicking it")
    point = None if keys else aim.point
    if point and await _press(tab, word, found, point, seen, button=button, double=double):
        return
    seen.looked = None
    element = await reach(tab, word, found)
    # By its locator, so that a ref is compared with what was shown right before the click.
    press = element.place.dblclick if double else element.place.click
    async with element.pressing("clicking it"):
        # An empty list would release keys that `keydown` holds.
        await press(button=button, modifiers=keys or None, timeout=ACTION_MS)


async def _when_enabled(
    tab: Tab,
    word: str,
    look: Callable[[], Awaitable[T | None]],
    patience: Patience | None,
    action: str,
) -> T:
    """Wait until a disabled control can be used.

    On a page that is quiet, only as long as a timer may still follow the action before: many pages
    look at what was typed a moment later.
    """
    found = await look()
    if found is None and patience:
        found = await while_restless(tab, look, patience.limit_ms, patience.is_busy)
        left_s = min(tab.acted + LATE_S - time.monotonic(), patience.limit_ms / 1000)
        if found is None and left_s > 0:
            found = await while_late(tab, look, patience.is_busy, left_s)
    if found is None:
        raise driver_errors.disabled(word, action)
    return found


async def _press(
    tab: Tab,
    word: str,
    found: FoundElement,
    point: Point,
    seen: ActionEffects,
    *,
    button: Button,
    double: bool,
) -> bool:
    """Press an element without the driver's check that it stands still.

    The page script lets the press through only if it arrives at this element (press_guard.js);
    False if it was not pressed.
    """
    mouse = tab.page.mouse
    press = mouse.dblclick if double else mouse.click
    try:
        with driver_errors.acting("clicking it", target=word):
            async with asyncio.timeout(ACTION_MS / 1000):
                await press(point.x, point.y, button=button)
    except TimeoutError as exc:
        raise driver_errors.too_busy(word, "clicking it") from exc
    except BrowseError:
        if tab.page.is_closed() and seen.acted:
            return True  # the press has closed the tab, before the driver knew of its end
        raise
    try:
        return await seen.run_last(scripts.ARRIVED, found.frame) not in ("armed", "missed")
    except BrowseError:
        return True  # the document is gone, so it was pressed


async def fill(
    tab: Tab,
    word: str,
    found: FoundElement,
    value: str,
    patience: Patience | None,
    seen: ActionEffects,
    *,
    secret: bool = False,
) -> FilledField:
    """Replace a field's value, fire the page's change event, and return what it holds then."""
    first = found.field

    async def look() -> PreparedField | None:
        nonlocal first
        field, first = first or await scripts.PREPARE_FIELD(found.frame), None
        return None if field.state == "disabled" else field

    field = await _when_enabled(tab, word, look, patience, "filling it")
    if field.state == "readonly":
        seen.looked = None
        element = await reach(tab, word, found)
        return await _fill_by_calendar(element, value, patience, secret=field.secret)
    if field.secret:
        TYPED.add(value)
    if field.state == "ready":
        with driver_errors.acting("filling it", target=word):
            if value:
                await tab.page.keyboard.insert_text(value)
            else:
                await tab.page.keyboard.press("Delete")
    else:
        element = await reach(tab, word, found)
        if await _fill_widget(element, found, value, patience, secret=secret or field.secret):
            seen.looked = None
            return FilledField(None, disabled=False, secret=field.secret)
        await _fill_slowly(element, value)
    try:
        fire = field.state == "ready"
        now = await seen.run_last(scripts.FILLED_FIELD, found.frame, fire=fire)
    except BrowseError:
        return FilledField(None, disabled=False, secret=field.secret)  # the page has moved on
    if value and now.value == "":
        why = "the page has disabled it" if now.disabled else "the page did not take the value"
        raise BrowseError(
            Code.UNMET,
            f"{word} was filled, but it is empty: {why}.",
            hint="look with `browse snapshot -i`: it may need something else first",
        )
    return now


async def _fill_by_calendar(
    field: Element, value: str, patience: Patience | None, *, secret: bool
) -> FilledField:
    if patience is None or field.tag != "input" or not calendars.parse(value):
        raise driver_errors.not_editable(field.word, "filling it")
    now = await calendars.choose(field, value, patience, secret=secret)
    return FilledField(now, disabled=False, secret=secret)


async def _fill_widget(
    element: Element, found: FoundElement, value: str, patience: Patience | None, *, secret: bool
) -> bool:
    """Fill what is no field of HTML but stands for one; False if it is none."""
    if found.tag in PLAIN_FIELDS:
        return False
    if found.role == "spinbutton" and value:
        await sliders.type_number(element, value)
        return True
    if area := await editors.area_of(element):
        await editors.replace(area, value, patience, secret=secret)
        return True
    if slider := await sliders.handle_of(element):
        await sliders.set_to(slider, value)
        return True
    return False


async def _fill_slowly(field: Element, value: str) -> None:
    """Fill a field as the driver does, for all that is not plain text."""
    handle = field.handle
    kind = (await field.facts()).type if field.tag == "input" else ""
    before = await handle.input_value() if kind in FORMS else ""
    try:
        async with field.acting("filling it"):
            try:
                await handle.fill(value, timeout=ACTION_MS)
            except DriverError as exc:
                if kind in FORMS and await scripts.STATE(handle, state="editable"):
                    raise await _not_taken(field, kind, value, before) from exc
                raise
    except BrowseError as exc:
        is_other = exc.code is Code.NOT_ACTIONABLE and kind not in FORMS
        if is_other and (other := await other_command(field)):
            raise no_text(field, other) from exc
        raise
    # It is filled; the page may have removed the field since, or be going elsewhere.
    with suppress(DriverError, PageLeft):
        if kind not in FORMS:
            await handle.dispatch_event("keyup")
            await handle.dispatch_event("change")
            return
        async with departure_of(field.tab.page).ending():
            is_held = _holds(value, await handle.input_value())
        if not is_held:
            raise await _not_taken(field, kind, value, before)


async def _not_taken(field: Element, kind: str, value: str, before: str) -> BrowseError:
    if before and not await field.handle.input_value():  # trying has emptied it
        await field.handle.fill(before, timeout=ACTION_MS)
    now = await field.handle.input_value()
    what, form = FORMS[kind]
    if kind == "range":
        state = await scripts.SLIDER(field.handle)
        steps = f" in steps of {state.step:g}" if state.step else ""
        form = f"one from {state.low:g} to {state.high:g}{steps}"
    return field.not_actionable(
        f"takes {what}, {form}, not {value[:40]!r}; it holds {now or 'nothing'} now",
        f"write it as {form}",
    )


async def _focus_in(element: Element) -> bool:
    """Focus what takes the keys of an element that cannot be focused; False if nothing does."""
    inner = await scripts.KEYED(element.handle)
    if inner is None:
        return False
    async with element.acting("focusing it"):
        await inner.focus()
    return True


async def focus(element: Element) -> bool:
    """Focus an element, or the editor that it is; check that it stays focused.

    False if it already was.
    """
    if element.tag not in PLAIN_FIELDS:
        element = await editors.area_of(element) or element
    had = (await element.facts()).active
    async with element.acting("focusing it"):
        await element.handle.focus()
    if not (await element.facts()).active and not await _focus_in(element):
        raise element.not_actionable(
            "cannot be focused",
            "name an interactive element: `browse snapshot -i` lists them",
        )
    return not had


def _holds(value: str, now: str) -> bool:
    """Check that a field holds the value, which it may shorten (18:30:00 to 18:30)."""
    wanted = value.strip().lower().replace(" ", "t")
    return wanted.startswith(now.lower()) and bool(now or not wanted)


def modifiers(held: str) -> list[Modifier]:
    """Parse the modifier keys to hold down: `Control+Shift`."""
    known = {name.lower(): name for name in get_args(Modifier)}
    keys: list[Modifier] = []
    for word in filter(None, held.split("+")):
        if word.lower() not in known:
            raise Usage(
                f"{word[:20]!r} is not a modifier key", hint=f"use {', '.join(known.values())}"
            )
        keys.append(cast("Modifier", known[word.lower()]))
    return keys
