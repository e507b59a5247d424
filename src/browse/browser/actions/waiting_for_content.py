"""Wait for what a page holds: text that stops changing, a value, a number of elements."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from browse.browser.actions.waiting import POLL_S, timed_out
from browse.browser.driver_errors import DocumentLost, translated
from browse.browser.elements.page_changes import listening
from browse.browser.elements.target import locator_for
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.core.text import counted

T = TypeVar("T")
LOOK_S = 5.0


async def wait_for_stable(tab: Tab, selector: str, limit_ms: int, *, still_ms: int) -> str:
    """Wait until the text of an element, or of the page, has stayed the same for so long."""
    clock = asyncio.get_running_loop().time
    begun = since = clock()
    before = await _words(tab, selector)
    what = f"the text of {selector or 'the page'} to stay the same for {still_ms} ms"
    try:
        async with asyncio.timeout(limit_ms / 1000), listening(tab) as changes:
            while before is None or clock() - since < still_ms / 1000:
                await changes.expect_next()
                words = await _words(tab, selector)
                if words != before:
                    since, before = clock(), words
                left_s = still_ms / 1000 - (clock() - since)
                await changes.next(max(left_s, 0) if words is not None else None)
    except TimeoutError as exc:
        changed = "it still changes" if since > begun else "it did not change in that time"
        state = "nothing matches it" if before is None else changed
        raise timed_out(what, limit_ms, state) from exc
    return f"The text of {selector or 'the page'} is stable"


async def wait_for_value(tab: Tab, selector: str, wanted: str, limit_ms: int) -> str:
    """Wait until a field holds a value; a label of what is chosen in it counts as well."""
    place = locator_for(tab, selector)

    async def held() -> list[str] | None:
        if not await place.count():
            return None
        found = await scripts.VALUE(place.first, reveal=False)
        if found and found.secret:
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{selector} is a secret field: what it holds is never compared.",
                hint="wait for what the page shows then: --text, --url or another selector",
            )
        return [*found.values, *found.labels] if found else []

    found = await _until(tab, selector, held, lambda it: it is not None and wanted in it, limit_ms)
    if found is None or wanted not in found:
        state = "nothing matches it" if found is None else "it holds something else, or is no field"
        raise timed_out(f"{selector} to hold {wanted!r}", limit_ms, state)
    return f"{selector} holds {wanted!r}"


async def wait_for_count(
    tab: Tab, selector: str, wanted: int, limit_ms: int, *, or_more: bool
) -> str:
    """Wait until so many visible elements match."""
    place = locator_for(tab, selector).filter(visible=True)

    def met(count: int | None) -> bool:
        return count is not None and (count >= wanted if or_more else count == wanted)

    found = await _until(tab, selector, place.count, met, limit_ms)
    if found is None or not met(found):
        what = f"{wanted}{' or more' if or_more else ''} of {selector}"
        raise timed_out(what, limit_ms, f"{counted(found or 0, 'element')} visible")
    return f"{counted(found, 'element')} of {selector} visible"


async def _until(
    tab: Tab,
    selector: str,
    read: Callable[[], Awaitable[T]],
    met: Callable[[T], bool],
    limit_ms: int,
) -> T | None:
    """Read again at each change until it is met, or time is up; return what was read last.

    A value can change without a change of the document, so it is read now and then as well.
    """
    found: T | None = None
    looked = False
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_ms / 1000), listening(tab) as changes:
            while True:
                await changes.expect_next()
                with suppress(DocumentLost), translated("looking at the page", selector=selector):
                    found = await read()
                    looked = True
                    if met(found):
                        return found
                await changes.next(POLL_S)
    return found if looked else await _only_look(selector, read, limit_ms)


async def _only_look(selector: str, read: Callable[[], Awaitable[T]], limit_ms: int) -> T:
    """Look after the time was up without a look, so that the reply knows how things stand."""
    try:
        async with asyncio.timeout(LOOK_S):
            with translated("looking at the page", selector=selector):
                return await read()
    except (TimeoutError, DocumentLost) as exc:
        raise timed_out(selector, limit_ms, "the page does not answer") from exc


async def _words(tab: Tab, selector: str) -> str | None:
    """Read the text of an element and what it holds; None if there is none now."""
    with suppress(DocumentLost), translated("reading the page", selector=selector):
        if not selector:
            return await scripts.TEXT(tab.frame)
        place = locator_for(tab, selector)
        if await place.count():
            held = await scripts.VALUE(place.first, reveal=False)
            return "\n".join([await scripts.TEXT(place.first), *(held.values if held else ())])
    return None
