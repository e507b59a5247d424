"""Choosing among options: of a select, or of a list that the page made itself."""

import asyncio
from collections.abc import Sequence

from playwright.async_api import ElementHandle

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page import scripts
from browse.browser.page.shapes import Choices, Match
from browse.core.errors import BrowseError, Code

MOST_SHOWN = 50
LOOKS = 20
LOOK_S = 0.1


async def choose(element: Element, words: Sequence[str]) -> list[str]:
    """Choose by value or label; give the words that named the options."""
    control = await element.control()
    facts = await control.facts()
    if facts.tag == "select":
        return await _in_select(control, words)
    if facts.role not in ("combobox", "listbox"):
        raise control.unfit(
            "is no select, combobox or listbox", "find one with `browse snapshot -i`"
        )
    listbox = control.handle if facts.role == "listbox" else await _opened(control)
    phrase = " ".join(words)
    known = await _appearing(control, listbox, phrase)
    if not (known.several and known.matches[0].selected):  # a second press would take it back
        option = await scripts.OPTION(listbox, word=phrase)
        async with control.acting("choosing it"):
            await (option or listbox).click(timeout=ACTION_MS)
    return [phrase]


async def _in_select(select: Element, words: Sequence[str]) -> list[str]:
    """All words name one option together, else each names one by itself."""
    phrase = " ".join(words)
    known = await _known(select.handle, phrase, *words)
    together, *each = known.matches
    chosen = {phrase: together}
    if not together.count and any(match.count for match in each):
        chosen = dict(zip(words, each, strict=True))
    for word, match in chosen.items():
        _require_one(select, word, match, known)
    if len(chosen) > 1 and not known.several:
        raise select.unfit(
            f"takes one value; {len(chosen)} were given", "name one option, by value or label"
        )
    options = [await scripts.OPTION(select.handle, word=word) for word in chosen]
    async with select.acting("choosing it"):
        await select.handle.select_option(element=list(filter(None, options)), timeout=ACTION_MS)
    return list(chosen)


async def _known(place: ElementHandle, *words: str) -> Choices:
    return await scripts.CHOICES(place, words=words, most=MOST_SHOWN)


async def _opened(combobox: Element) -> ElementHandle:
    """Open a combobox unless it is open, and find its list."""
    listbox = await scripts.LISTBOX(combobox.handle)
    if listbox is None:
        async with combobox.acting("opening it"):
            await combobox.handle.click(timeout=ACTION_MS)
    for _ in range(LOOKS):
        if listbox := listbox or await scripts.LISTBOX(combobox.handle):
            return listbox
        await asyncio.sleep(LOOK_S)
    raise combobox.unfit(
        "was pressed, but shows no list of options that is known to be its own",
        "look with `browse snapshot -i` and click the option, or `browse fill` it if it is a field",
    )


async def _appearing(combobox: Element, listbox: ElementHandle, word: str) -> Choices:
    """Wait for an option that a list may still be loading."""
    for _ in range(LOOKS):
        known = await _known(listbox, word)
        if known.matches[0].count:
            break
        await asyncio.sleep(LOOK_S)
    _require_one(combobox, word, known.matches[0], known)
    return known


def _require_one(owner: Element, word: str, match: Match, known: Choices) -> None:
    if match.count == 1 and not match.disabled:
        return
    if not match.count:
        code, what, hint = Code.NO_MATCH, "is no option of", "give one of these, by value or label"
    elif match.count > 1:
        what, hint = f"names {match.count} options of", "give the value of the one that you mean"
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
