"""Set a date field that takes no text by its calendar, as a person does, and read it back."""

import re
from datetime import date as Date

from browse.browser import driver_errors
from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.elements.page_changes import while_late
from browse.browser.elements.target import Patience
from browse.browser.page import scripts
from browse.browser.page.calendars import CalendarView
from browse.core.errors import BrowseError, Code

# As many months as a calendar is turned by: ten years.
MAX_TURNS = 120
LOOK = "press it and choose the day: browse click {0}; browse snapshot -i"


def parse(typed: str) -> Date | None:
    """Parse 2026-12-24; None for anything else."""
    try:
        return (
            Date.fromisoformat(typed.strip()) if re.fullmatch(r"\s*\d{4}-..-..\s*", typed) else None
        )
    except ValueError:
        return None


async def choose(field: Element, typed: str, patience: Patience, *, secret: bool) -> str:
    """Choose a day in the calendar that a field opens; return what the field shows then."""
    day = parse(typed)
    if day is None:
        raise driver_errors.not_editable(field.word, "filling it")
    before = await field.handle.input_value()
    view = await _open(field, day, patience)
    for _ in range(MAX_TURNS):
        if view.day != "none":
            break
        view = await _turn(field, day, view, patience)
    if view.day != "there":
        what = "that day cannot be chosen" if view.day == "disabled" else "it is too far away"
        raise _failed(field, f"its calendar was opened, but {what}", view)
    await _press(field, "day", day)
    now = await _read(field, before, patience)
    if now == before and not {str(day.day), f"{day.day:02}"} & {*re.findall(r"\d+", now)}:
        raise BrowseError(
            Code.UNMET,
            f"{field.word} has not taken the day that was chosen in its calendar.",
            hint="look with `browse snapshot -i`: the calendar may have a button to confirm",
            page=f"value: {now}" if now and not secret else "",
        )
    return now


async def _open(field: Element, day: Date, patience: Patience) -> CalendarView:
    is_own = (await field.facts()).active
    view = await scripts.CALENDAR(field.handle, date=_numbers(day), others=not is_own)
    if view.own:
        return view
    async with field.acting("opening its calendar"):
        await field.handle.click(timeout=ACTION_MS)
    view = await _view(field, day)

    async def look() -> CalendarView | None:
        nonlocal view
        view = await _view(field, day)
        return view if view.own else None

    if not view.own:  # it may also be one that stands on the page
        await while_late(field.tab, look, patience.is_busy)
    if not view.months:
        raise _failed(field, "is read-only, and pressing it shows no calendar that can be read")
    return view


async def _turn(field: Element, day: Date, view: CalendarView, patience: Patience) -> CalendarView:
    """Turn the calendar by a month towards a day."""
    was = view.months
    part = "next" if (day.year, day.month) > was[-1] else "previous"
    if was[0] < (day.year, day.month) < was[-1] or not await _press(field, part, day):
        raise _failed(field, "its calendar was opened, but does not turn to that month", view)
    view = await _view(field, day)

    async def look() -> CalendarView | None:
        nonlocal view
        view = await _view(field, day)
        return view if view.months and view.months != was else None

    if view.months in (was, []):
        await while_late(field.tab, look, patience.is_busy)
    if view.months in (was, []):
        raise _failed(field, "its calendar was opened, but does not turn to that month", view)
    return view


async def _press(field: Element, part: str, day: Date) -> bool:
    handle = await scripts.CALENDAR_PART(field.handle, part=part, date=_numbers(day))
    if handle is None:
        return False
    async with field.acting("choosing the day"):
        await handle.click(timeout=ACTION_MS)
    return True


async def _read(field: Element, before: str, patience: Patience) -> str:
    """Return what the field shows, once it shows something else or the page is quiet."""
    now = await field.handle.input_value()

    async def look() -> str | None:
        nonlocal now
        now = await field.handle.input_value()
        return now if now != before else None

    if now == before:
        await while_late(field.tab, look, patience.is_busy)
    return now


async def _view(field: Element, day: Date) -> CalendarView:
    return await scripts.CALENDAR(field.handle, date=_numbers(day))


def _numbers(day: Date) -> tuple[int, int, int]:
    return day.year, day.month, day.day


def _failed(field: Element, what: str, view: CalendarView | None = None) -> BrowseError:
    months = ", ".join(f"{year}-{month:02}" for year, month in view.months) if view else ""
    return field.not_actionable(
        what + (f"; it shows {months} now" if months else ""), LOOK.format(field.word)
    )
