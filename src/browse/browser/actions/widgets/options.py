"""Choose options of a select, or of an ARIA combobox or listbox."""

import asyncio
from collections.abc import Sequence

import msgspec
from playwright.async_api import ElementHandle
from playwright.async_api import Error as DriverError

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.elements.page_changes import while_late, while_restless
from browse.browser.elements.target import Patience
from browse.browser.page import scripts
from browse.browser.page.choosing import Choices, Chosen, Match
from browse.browser.page.shapes import Point
from browse.core.errors import BrowseError, Code

MAX_SHOWN = 50
MAX_CHECKS = 20
CHECK_INTERVAL_S = 0.1
# How far a long list is scrolled: so often, and by this part of what it shows.
MAX_SCROLLS = 100
SCROLLED_PART = 0.8
MAX_WHEEL_PX = 250
TO_TOP_PX = 1_000_000


class Selection(msgspec.Struct, frozen=True):
    """What was chosen in which control, and what that showed before."""

    control: Element
    words: list[str]
    before: str = ""


async def choose_options(element: Element, words: Sequence[str], patience: Patience) -> Selection:
    """Choose options by value or label; return the words that named them."""
    control = await element.control()
    facts = await control.facts()
    if facts.tag == "select":
        stand_in = await scripts.STAND_IN(control.handle)
        if stand_in is None:
            return Selection(control, await _choose_in_select(control, words))
        control = msgspec.structs.replace(control, handle=stand_in)
        facts = await control.facts()
    control = msgspec.structs.replace(control, tag=facts.tag)
    if facts.role not in ("combobox", "listbox"):
        raise control.not_actionable(
            "is not a select, combobox or listbox", "find one with `browse snapshot -i`"
        )
    before = await scripts.CHOSEN(control.handle, words=[], before="")
    owns = facts.role == "listbox"
    typed = words[0] if before.several else " ".join(words)
    listbox = control.handle if owns else await _open_list(control, typed, patience)
    names = await _named(listbox, words, several=before.several, is_open_to=not owns)
    for number, name in enumerate(names):
        if number and not owns:  # the list may have closed
            listbox = await _open_list(control, name, patience)
        await _choose_in_list(control, listbox, name, patience)
    return Selection(control, names, before.shows)


async def read_back(made: Selection, patience: Patience, said: Sequence[str]) -> Chosen | None:
    """Look at what is chosen when the page is quiet; None if the page has replaced the control.

    Raise if it is not what was asked for, with what the page said.
    """
    now: Chosen | None = None

    async def look() -> bool | None:
        nonlocal now
        now = await scripts.CHOSEN(made.control.handle, words=made.words, before=made.before)
        return all(now.chosen) or None

    tab = made.control.tab
    try:
        if not await look():
            await while_restless(tab, look, patience.limit_ms, patience.is_busy)
        # An answer over a socket is no request of a page, and the value of a field no change of it.
        if now and False in now.chosen and not await while_late(tab, look, patience.is_busy):
            await look()
    except (BrowseError, DriverError):
        return None
    if not now or not now.connected:
        return None
    missed = [word for word, held in zip(made.words, now.chosen, strict=True) if held is False]
    if missed:
        raise BrowseError(
            Code.UNMET,
            f"{missed[0][:80]!r} was chosen in {made.control.word}, but it is not chosen now:"
            f" the page {'holds something else' if now.shows else 'shows nothing there'}.",
            hint="look with `browse snapshot -i`: it may need something else first",
            page="\n".join([*([f"chosen now: {now.shows}"] if now.shows else []), *said]),
        )
    return now


async def _named(
    listbox: ElementHandle, words: Sequence[str], *, several: bool, is_open_to: bool
) -> list[str]:
    """Tell the options that words name: all together one, else each one where several may be."""
    phrase = " ".join(words)
    known = await _read_choices(listbox, phrase, *words)
    together, first, *others = known.matches
    # Many take several and do not say so; what they hold then is looked at in any case. A list that
    # is filtered by typing may not have the others yet.
    may = is_open_to and first.count == 1 and all(match.count < 2 for match in others)
    several = several or known.several or may
    return [*words] if several and not together.count else [phrase]


async def _choose_in_list(
    control: Element, listbox: ElementHandle, name: str, patience: Patience
) -> None:
    known = await _wait_for_option(control, listbox, name, patience)
    if known.several and known.matches[0].selected:  # a second click would deselect it
        return
    listbox = await _current(control, listbox)
    option = await scripts.OPTION(listbox, word=name)
    async with control.pressing("choosing it"):
        await (option or listbox).click(timeout=ACTION_MS)


async def _current(control: Element, listbox: ElementHandle) -> ElementHandle:
    """Return the list of a combobox, which the page may have made anew."""
    return await scripts.LISTBOX(control.handle, pressed=True) or listbox


async def _choose_in_select(select: Element, words: Sequence[str]) -> list[str]:
    """Choose the option that all words name together, else the options that each names."""
    phrase = " ".join(words)
    known = await _read_choices(select.handle, phrase, *words)
    together, *each = known.matches
    chosen = {phrase: together}
    if not together.count and any(match.count for match in each):
        chosen = dict(zip(words, each, strict=True))
    for word, match in chosen.items():
        _require_one(select, word, match, known)
    if len(chosen) > 1 and not known.several:
        raise select.not_actionable(
            f"takes one value; {len(chosen)} were given", "name one option, by value or label"
        )
    options = [await scripts.OPTION(select.handle, word=word) for word in chosen]
    async with select.pressing("choosing it"):
        await select.handle.select_option(element=list(filter(None, options)), timeout=ACTION_MS)
    return list(chosen)


async def _read_choices(place: ElementHandle, *words: str) -> Choices:
    return await scripts.CHOICES(place, words=words, most=MAX_SHOWN)


async def _open_list(combobox: Element, name: str, patience: Patience) -> ElementHandle:
    """Open a combobox unless it is open, by typing the option if need be; return its list."""
    listbox = await scripts.LISTBOX(combobox.handle, pressed=False)
    if listbox is None:
        await _press(combobox)
    for _ in range(MAX_CHECKS):
        if listbox := listbox or await scripts.LISTBOX(combobox.handle, pressed=True):
            return listbox
        await asyncio.sleep(CHECK_INTERVAL_S)
    if listbox := await _open_by_typing(combobox, name, patience):
        return listbox
    raise combobox.not_actionable(
        "was clicked, but shows no list of options that belongs to it",
        "look with `browse snapshot -i` and click the option, or `browse fill` it if it is a field",
    )


async def _open_by_typing(combobox: Element, name: str, patience: Patience) -> ElementHandle | None:
    """Type an option into a field that has a list only then; empty it again if there is none."""
    field = combobox.handle
    if combobox.tag != "input" or not await scripts.STATE(field, state="editable"):
        return None

    async def look() -> ElementHandle | None:
        return await scripts.LISTBOX(field, pressed=True)

    async with combobox.acting("typing into it"):
        before = await field.input_value()
        await field.fill(name, timeout=ACTION_MS)
        listbox = await while_late(combobox.tab, look, patience.is_busy)
        if listbox is None:
            await field.fill(before, timeout=ACTION_MS)
    return listbox


async def _press(combobox: Element) -> None:
    """Press a combobox, or where that cannot be, open it by the keyboard."""
    try:
        async with combobox.acting("opening it"):
            await combobox.handle.click(timeout=ACTION_MS)
    except BrowseError as exc:
        if exc.code is not Code.NOT_ACTIONABLE or combobox.tag != "input":
            raise
        await combobox.handle.focus()
        if not (await combobox.facts()).active:
            raise
        if await scripts.LISTBOX(combobox.handle, pressed=True) is None:
            await combobox.tab.page.keyboard.press("ArrowDown")


async def _wait_for_option(
    combobox: Element, listbox: ElementHandle, word: str, patience: Patience
) -> Choices:
    """Wait for an option, which a list may be loading, or have only where it is scrolled to."""
    for _ in range(MAX_CHECKS):
        known = await _read_choices(listbox, word)
        if known.matches[0].count or known.size > known.count:
            break
        await asyncio.sleep(CHECK_INTERVAL_S)
    if not known.matches[0].count:
        known = await _seek(combobox, listbox, word, known, patience)
    _require_one(combobox, word, known.matches[0], known)
    return known


async def _seek(
    combobox: Element, listbox: ElementHandle, word: str, known: Choices, patience: Patience
) -> Choices:
    """Look for an option that is not in the page yet: filter by typing it, else scroll the list."""
    seen = {it.label for it in known.shown}
    field = await scripts.SEARCH_FIELD(combobox.handle)
    if field:
        now = await _filter(combobox, field, listbox, word, patience)
    else:
        now = await _scroll_to(combobox, listbox, word, seen)
    if now.matches[0].count:
        return now
    if max(known.size, len(seen)) > known.count:
        whole = f", of {known.size:,}" if known.size > len(seen) else ""
        raise BrowseError(
            Code.NO_MATCH,
            f"{word[:80]!r} is none of the {len(seen)} options of {combobox.word} that were seen"
            f"{whole}; it was not chosen.",
            hint="name one of these, or type a part of it: browse type --on"
            f" {combobox.word} <text>",
            page="\n".join(_listed(known)),
        )
    return known


async def _filter(
    combobox: Element, field: ElementHandle, listbox: ElementHandle, word: str, patience: Patience
) -> Choices:
    """Type an option into what filters a list; empty that again if there is none."""
    async with combobox.acting("filtering its list"):
        held = await field.input_value()
        before = "" if held == word else held  # it may have been typed to open the list
        await field.fill(word, timeout=ACTION_MS)
    now = await _read_choices(listbox, word)

    async def look() -> bool | None:
        nonlocal now
        now = await _read_choices(await _current(combobox, listbox), word)
        return now.matches[0].count > 0 or None

    if not now.matches[0].count and not await while_late(combobox.tab, look, patience.is_busy):
        async with combobox.acting("emptying its filter"):
            await field.fill(before, timeout=ACTION_MS)
    return now


async def _scroll_to(
    combobox: Element, listbox: ElementHandle, word: str, seen: set[str]
) -> Choices:
    """Scroll a list until an option is there or its end; add the options that were seen."""
    for turn in range(MAX_SCROLLS + 1):
        box = await listbox.bounding_box()
        high = min(box["height"], MAX_WHEEL_PX) if box else 0
        by = (0, round(high * SCROLLED_PART))
        way = {"by": by, "to": None} if turn else {"by": None, "to": "top"}
        led = await scripts.SCROLL(listbox, moved=False, **way)
        if box and not led.scrolls:  # what is in it or around it may, by the wheel
            place = (await scripts.DROP_PLACE(listbox, side="")).point or Point(5, 5)
            await combobox.tab.page.mouse.move(box["x"] + place.x, box["y"] + place.y)
            await combobox.tab.page.mouse.wheel(0, by[1] if turn else -TO_TOP_PX)
        await asyncio.sleep(CHECK_INTERVAL_S)
        known = await _read_choices(listbox, word)
        more = {it.label for it in known.shown} - seen
        seen |= more
        moved = led.moved or more or await listbox.bounding_box() != box
        if known.matches[0].count or (turn and not moved):
            break
    return known


def _require_one(owner: Element, word: str, match: Match, known: Choices) -> None:
    if match.count == 1 and not match.disabled:
        return
    if not match.count:
        code, what, hint = Code.NO_MATCH, "is no option of", "name one of these, by value or label"
    elif match.count > 1:
        what, hint = f"names {match.count} options of", "name the one that you mean by its value"
        code = Code.SEVERAL_MATCH
    else:
        code, what, hint = Code.NOT_ACTIONABLE, "is a disabled option of", "choose another one"
    raise BrowseError(
        code,
        f"{word[:80]!r} {what} {owner.word}; nothing was chosen.",
        hint=hint,
        page="\n".join(_listed(known)),
    )


def _listed(known: Choices) -> list[str]:
    lines = [
        f'"{it.label}"'
        + (f" value={it.value}" if it.value not in ("", it.label) else "")
        + (" [disabled]" if it.disabled else "")
        for it in known.shown
    ]
    left = known.count - len(known.shown)
    return [*lines, f"… and {left:,} more"] if left else lines
