"""Ticking and unticking: checkboxes, radio buttons and switches, HTML's own and ARIA's."""

import asyncio
import shlex

from playwright.async_api import Error as DriverError

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page.shapes import Facts
from browse.core.errors import BrowseError, Code

GLANCE_MS = 500
LOOKS = 10
LOOK_S = 0.1
RADIO = ("radio", "menuitemradio")


async def tick(element: Element, wanted: bool) -> bool:
    """Bring a control into the wanted state; False when it was in it already."""
    control = await element.control()
    before = await control.facts()
    _require_fit(control, before, wanted)
    if before.checked is wanted:
        return False
    await _press(control, before)
    if await _becomes(control, wanted):
        return True
    if before.checked == "mixed":  # from there a press may lead to either side
        await _press(control, before)
        if await _becomes(control, wanted):
            return True
    state = "checked" if wanted else "unchecked"
    raise BrowseError(
        Code.UNMET,
        f"{element.word} was pressed, but it has not become {state}.",
        hint="look with `browse snapshot -i`: the page may ask for something first",
    )


def _require_fit(control: Element, facts: Facts, wanted: bool) -> None:
    if facts.checked is None:
        raise control.unfit(
            "is no checkbox, radio button or switch",
            f"press it with `browse click {shlex.quote(control.word)}`, or find one with"
            " `browse snapshot -i`",
        )
    if not wanted and facts.checked and facts.role in RADIO:
        raise control.unfit(
            "is a radio button, which cannot be unchecked by itself",
            "check another one of its group with `browse check`",
        )


async def _press(control: Element, facts: Facts) -> None:
    """Press a control; one that only its label shows is told to act as if that were pressed."""
    async with control.acting("pressing it"):
        if facts.labelled and not facts.disabled and not await _reachable(control):
            await control.handle.dispatch_event("click")
        else:
            await control.handle.click(timeout=ACTION_MS)


async def _reachable(control: Element) -> bool:
    try:
        await control.handle.click(trial=True, timeout=GLANCE_MS)
    except DriverError:
        return False
    return True


async def _becomes(control: Element, wanted: bool) -> bool:
    """Look for the wanted state; a control that the page took away or replaced cannot tell."""
    for _ in range(LOOKS):
        try:
            facts = await control.facts()
        except BrowseError:
            return True
        if facts.checked is wanted or not facts.connected:
            return True
        await asyncio.sleep(LOOK_S)
    return False
