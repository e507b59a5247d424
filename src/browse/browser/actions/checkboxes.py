"""Check and uncheck checkboxes, radio buttons and switches, native and ARIA."""

import asyncio
import shlex

from playwright.async_api import Error as DriverError

from browse.browser.elements.departures import departure_of
from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page.shapes import Facts
from browse.core.errors import BrowseError, Code

TRIAL_MS = 500
MAX_CHECKS = 10
CHECK_INTERVAL_S = 0.1
RADIO = ("radio", "menuitemradio")


async def set_checked(element: Element, wanted: bool) -> bool:
    """Set whether a control is checked; return False if nothing had to change."""
    control = await element.control()
    before = await control.facts()
    _require_checkable(control, before, wanted)
    if before.checked is wanted:
        return False
    await _click(control, before)
    if await _becomes(control, wanted):
        return True
    if before.checked == "mixed":  # the first click may have led to the other state
        await _click(control, before)
        if await _becomes(control, wanted):
            return True
    state = "checked" if wanted else "unchecked"
    raise BrowseError(
        Code.UNMET,
        f"{element.word} was clicked, but it has not become {state}.",
        hint="run `browse snapshot -i`: the page may ask for something first",
    )


def _require_checkable(control: Element, facts: Facts, wanted: bool) -> None:
    if facts.checked is None:
        raise control.not_actionable(
            "is not a checkbox, radio button or switch",
            f"click it with `browse click {shlex.quote(control.word)}`, or find one with"
            " `browse snapshot -i`",
        )
    if not wanted and facts.checked and facts.role in RADIO:
        raise control.not_actionable(
            "is a radio button, which cannot be unchecked by itself",
            "check another one of its group instead, with `browse check`",
        )


async def _click(control: Element, facts: Facts) -> None:
    """Click a control; if only its label is visible, dispatch the click event to it."""
    async with control.pressing("clicking it"):
        if facts.labelled and not facts.disabled and not await _is_clickable(control):
            await control.handle.dispatch_event("click")
        else:
            await control.handle.click(timeout=ACTION_MS)


async def _is_clickable(control: Element) -> bool:
    try:
        await control.handle.click(trial=True, timeout=TRIAL_MS)
    except DriverError:
        return False
    return True


async def _becomes(control: Element, wanted: bool) -> bool:
    """Wait for the wanted state; also return True if the page has replaced the control."""
    for _ in range(MAX_CHECKS):
        try:
            async with departure_of(control.tab.page).ending():
                facts = await control.facts()
        except BrowseError:
            return True
        if facts.checked is wanted or not facts.connected:
            return True
        await asyncio.sleep(CHECK_INTERVAL_S)
    return False
