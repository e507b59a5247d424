"""Click, fill and focus one element."""

from contextlib import suppress
from typing import Literal, cast, get_args

from playwright.async_api import Error as DriverError

from browse.browser.elements.element import ACTION_MS, Element
from browse.core.errors import Usage
from browse.guard.credentials import TYPED

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
# Types of inputs for which the driver itself fires the change event.
FIRES_CHANGE = ("color", "date", "datetime-local", "month", "range", "time", "week")


async def choose_option(option: Element) -> None:
    """Choose an option in the select that contains it."""
    async with option.acting("choosing it"):
        select = await option.handle.query_selector("xpath=ancestor::select")
        if select is None:
            raise option.not_actionable(
                "is not in a select", "look at it with `browse snapshot -i`"
            )
        await select.select_option(element=option.handle, timeout=ACTION_MS)


async def click(element: Element, *, button: Button, double: bool, held: str) -> None:
    """Click an element as soon as it can be clicked."""
    keys = modifiers(held) or None  # an empty list would release keys that `keydown` holds
    # By its locator, so that a ref is compared with what was shown right before the click.
    press = element.place.dblclick if double else element.place.click
    async with element.acting("clicking it"):
        await press(button=button, modifiers=keys, timeout=ACTION_MS)


async def fill(field: Element, value: str) -> None:
    """Replace a field's value, and fire the page's change event."""
    handle = field.handle
    if (await field.facts()).secret:
        TYPED.add(value)
    async with field.acting("filling it"):
        await handle.fill(value, timeout=ACTION_MS)
    with suppress(DriverError):  # it is filled; the page may have removed the field since
        kind = await handle.get_attribute("type") or ""
        if kind.lower() not in FIRES_CHANGE:
            await handle.dispatch_event("change")
        elif not _holds(value, await handle.input_value()):
            raise field.not_actionable(
                f"does not accept that value; it is a field of type {kind.lower()}",
                "write it as 2026-12-24, 18:30, 2026-12-24T18:30, 2026-W52, #ff8800 or 7",
            )


async def focus(element: Element) -> bool:
    """Focus an element, and check that it stays focused; False if it already was."""
    had = (await element.facts()).active
    async with element.acting("focusing it"):
        await element.handle.focus()
    if not (await element.facts()).active:
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
