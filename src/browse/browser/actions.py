"""Doing things to one element, with what stands in the way said in our words."""

from typing import Literal, cast, get_args

from playwright.async_api import Locator

from browse.browser.failures import acting
from browse.core.errors import Usage

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
ACTION_MS = 5_000


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
        await place.fill(value, timeout=ACTION_MS)
        # By handle: the locator's own dispatch looks for the element in the page's world, where
        # refs are unknown.
        field = await place.element_handle(timeout=ACTION_MS)
        await field.dispatch_event("change")


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
