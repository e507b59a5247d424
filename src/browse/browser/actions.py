"""Doing things to one element, with what stands in the way said in our words."""

from contextlib import suppress
from typing import Literal, cast, get_args

from playwright.async_api import Error as DriverError
from playwright.async_api import Locator

from browse.browser.failures import acting
from browse.core.errors import BrowseError, Code, Usage

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
ACTION_MS = 5_000
# Inputs for which the driver itself tells the page of the change.
TELLS_ITSELF = ("color", "date", "datetime-local", "month", "range", "time", "week")


async def choose_option(place: Locator, target: str) -> None:
    """Choose an option of the select that it stands in."""
    with acting("choosing it", target=target):
        option = await place.element_handle(timeout=ACTION_MS)
        await place.locator("xpath=ancestor::select").select_option(
            element=option, timeout=ACTION_MS
        )


async def click(place: Locator, target: str, *, button: Button, double: bool, held: str) -> None:
    """Press an element once it can be pressed."""
    keys = modifiers(held)
    press = place.dblclick if double else place.click
    with acting("pressing it", target=target):
        await press(button=button, modifiers=keys, timeout=ACTION_MS)


async def fill(place: Locator, target: str, value: str) -> None:
    """Replace a field's value, and tell the page that it changed."""
    with acting("filling it", target=target):
        # By handle: a value may be part of the field's name, and then its ref would find nothing.
        field = await place.element_handle(timeout=ACTION_MS)
        await field.fill(value, timeout=ACTION_MS)
    with suppress(DriverError):  # filled it is; the page may have taken the field away since
        kind = await field.get_attribute("type") or ""
        if kind.lower() not in TELLS_ITSELF:
            await field.dispatch_event("change")
        elif not _took(value, await field.input_value()):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{target} does not take that value; it is a field of type {kind.lower()}.",
                hint="write it as 2026-12-24, 18:30, 2026-12-24T18:30, 2026-W52, #ff8800 or 7",
            )


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
