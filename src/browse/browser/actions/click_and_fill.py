"""Doing things to one element, with what stands in the way said in our words."""

from contextlib import suppress
from typing import Literal, cast, get_args

from playwright.async_api import Error as DriverError

from browse.browser.elements.element import ACTION_MS, Element
from browse.core.errors import Usage
from browse.guard.credentials import TYPED

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
# Inputs for which the driver itself tells the page of the change.
TELLS_ITSELF = ("color", "date", "datetime-local", "month", "range", "time", "week")


async def choose_option(option: Element) -> None:
    """Choose an option of the select that it stands in."""
    async with option.acting("choosing it"):
        select = await option.handle.query_selector("xpath=ancestor::select")
        if select is None:
            raise option.unfit("stands in no select", "look at it with `browse snapshot -i`")
        await select.select_option(element=option.handle, timeout=ACTION_MS)


async def click(element: Element, *, button: Button, double: bool, held: str) -> None:
    """Press an element once it can be pressed."""
    keys = modifiers(held)
    # By its place: that a ref still is what was shown is then looked at right before the press.
    press = element.place.dblclick if double else element.place.click
    async with element.acting("pressing it"):
        await press(button=button, modifiers=keys, timeout=ACTION_MS)


async def fill(field: Element, value: str) -> None:
    """Replace a field's value, and tell the page that it changed."""
    handle = field.handle
    if (await field.facts()).secret:
        TYPED.add(value)
    async with field.acting("filling it"):
        await handle.fill(value, timeout=ACTION_MS)
    with suppress(DriverError):  # filled it is; the page may have taken the field away since
        kind = await handle.get_attribute("type") or ""
        if kind.lower() not in TELLS_ITSELF:
            await handle.dispatch_event("change")
        elif not _took(value, await handle.input_value()):
            raise field.unfit(
                f"does not take that value; it is a field of type {kind.lower()}",
                "write it as 2026-12-24, 18:30, 2026-12-24T18:30, 2026-W52, #ff8800 or 7",
            )


async def focus(element: Element) -> bool:
    """Give an element the focus, and see that it keeps it; False when it had it already."""
    had = (await element.facts()).active
    async with element.acting("focusing it"):
        await element.handle.focus()
    if not (await element.facts()).active:
        raise element.unfit(
            "does not take the focus",
            "give one that can be operated: `browse snapshot -i` lists them",
        )
    return not had


def _took(value: str, now: str) -> bool:
    """Tell whether a field holds the value, which it may spell in a shorter way (18:30:00)."""
    wanted = value.strip().lower().replace(" ", "t")
    return wanted.startswith(now.lower()) and bool(now or not wanted)


def modifiers(held: str) -> list[Modifier]:
    """Read the keys that are held down meanwhile: `Control+Shift`."""
    known = {name.lower(): name for name in get_args(Modifier)}
    keys: list[Modifier] = []
    for word in filter(None, held.split("+")):
        if word.lower() not in known:
            raise Usage(
                f"{word[:20]!r} is not a modifier key", hint=f"use {', '.join(known.values())}"
            )
        keys.append(cast("Modifier", known[word.lower()]))
    return keys
