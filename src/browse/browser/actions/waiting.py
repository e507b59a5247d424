"""Wait for a condition on a page; a timeout names the condition and the current state."""

import asyncio
import fnmatch
import re
from collections.abc import Callable, Sequence
from typing import Literal

from playwright.async_api import Frame, Locator

from browse.browser.driver_errors import ScriptThrew, translated
from browse.browser.page import engine_source, scripts
from browse.browser.reading.evaluate import confined
from browse.core.errors import BrowseError, Code

MIN_WAIT_MS = 250  # the driver needs this long to check even once
POLL_S = 0.1
IDLE_S = 0.5
_IS_TRUTHY = engine_source.expression("standalone/is_truthy")
LoadState = Literal["load", "domcontentloaded", "networkidle"]
_REACHED = {
    "load": "Page loaded",
    "domcontentloaded": "DOM content loaded",
    "networkidle": "Network idle",
}


async def wait_for_load_state(
    frame: Frame, state: LoadState, limit_ms: int, open_requests: Callable[[], list[str]] = list
) -> str:
    """Wait for a load state of the document; the error names the requests that are open."""
    try:
        with translated(f"waiting for {state}"):
            await frame.wait_for_load_state(state, timeout=limit_ms)
    except BrowseError as exc:
        named = "\n".join(open_requests()) if state == "networkidle" else ""
        busy = "these requests are open, or were the last" if named else "requests are still open"
        standing = busy if state == "networkidle" else "the page is still loading"
        raise _as_timeout(exc, f"'{state}'", limit_ms, standing, named) from exc
    return _REACHED[state]


async def wait_for_idle_network(
    frame: Frame, limit_ms: int, idle_s: Callable[[], float], open_requests: Callable[[], list[str]]
) -> str:
    """Wait until no request has been open for a while.

    The driver tells of the first such moment of a document only.
    """
    clock = asyncio.get_running_loop().time
    until = clock() + limit_ms / 1000
    reached = await wait_for_load_state(frame, "networkidle", limit_ms, open_requests)
    while (idle := idle_s()) < IDLE_S:
        if clock() >= until:
            busy = "these requests are open, or were the last"
            raise timed_out("'networkidle'", limit_ms, busy, "\n".join(open_requests()))
        await asyncio.sleep(min(POLL_S, IDLE_S - idle))
    return reached


async def wait_for_element(place: Locator, selector: str, limit_ms: int, *, gone: bool) -> str:
    """Wait until an element is visible, or with `gone` until it is not."""
    seen = place.filter(visible=True)
    try:
        with translated("waiting for the element", selector=selector):
            await seen.first.wait_for(state="hidden" if gone else "visible", timeout=limit_ms)
    except BrowseError as exc:
        if exc.code is not Code.TIMEOUT:
            raise
        with translated("looking for the element"):
            count, visible = await place.count(), await seen.count()
        if bool(visible) is gone:  # else it came true, but too late for the driver to notice
            wanted = f"element {selector!r} to {'go' if gone else 'appear'}"
            raise timed_out(wanted, limit_ms, _match_state(count, visible)) from exc
    return f"Element {selector} {'is gone' if gone else 'appeared'}"


async def wait_for_text(frame: Frame, text: str, limit_ms: int, *, gone: bool) -> str:
    """Wait until text is visible, in a field too, or with `gone` until it is not."""
    written = scripts.UNLESS_SECRET.place(frame.get_by_text(text), text=text)
    shown = written.or_(scripts.SHOWN_FIELD.place(frame, text=text))
    place = shown.filter(visible=True)
    try:
        with translated("waiting for the text"):
            await place.first.wait_for(state="hidden" if gone else "visible", timeout=limit_ms)
    except BrowseError as exc:
        raise _as_timeout(
            exc,
            f"text {text!r} to {'go' if gone else 'appear'}",
            limit_ms,
            "it is visible" if gone else "it is not visible",
        ) from exc
    return f"Text {text!r} {'is gone' if gone else 'appeared'}"


async def wait_for_url(frame: Frame, pattern: str, limit_ms: int) -> str:
    """Wait until the address contains a text or matches a glob."""
    glob = re.compile(fnmatch.translate(pattern)) if re.search(r"[*?\[]", pattern) else None
    try:
        with translated("waiting for the address"):
            await frame.wait_for_url(
                lambda url: bool(pattern in url or (glob and glob.match(url))),
                timeout=limit_ms,
                wait_until="commit",
            )
    except BrowseError as exc:
        raise _as_timeout(
            exc, f"an address like {pattern!r}", limit_ms, "`browse url` shows where the tab is"
        ) from exc
    return f"URL matches {pattern}"


async def wait_for_expression(
    frame: Frame,
    expression: str,
    limit_ms: int,
    *,
    hosts: Sequence[str] = (),
    check: Callable[[str], None] = lambda _: None,
) -> str:
    """Wait until an expression is true in the page; an error counts as false.

    With hosts, it runs in documents of those only; `check` raises for an address of another.
    """
    source, thrown = confined(expression, hosts), ""
    try:
        async with asyncio.timeout(limit_ms / 1000):
            while True:
                try:
                    await _wait_until_true(frame, source, limit_ms)
                    return "Condition is true"
                except BrowseError as exc:
                    hopeless = isinstance(exc, ScriptThrew) and exc.is_syntax_error
                    if exc.code is not Code.SCRIPT_FAILED or hopeless:
                        raise
                    thrown = exc.page
                    check(frame.url)
                await asyncio.sleep(POLL_S)
    except TimeoutError as exc:
        what = f"{expression[:80]!r} to be true"
        state = "it throws an error" if thrown else "it is still false"
        raise timed_out(what, limit_ms, state, page=thrown) from exc


async def _wait_until_true(frame: Frame, expression: str, limit_ms: int) -> None:
    """Poll. The driver takes any promise for true, so the awaited value is checked too."""
    while True:
        with translated("waiting for your expression"):
            handle = await frame.wait_for_function(expression, timeout=2 * limit_ms)
            true = await handle.evaluate(_IS_TRUTHY)
            await handle.dispose()
        if true:
            return
        await asyncio.sleep(POLL_S)


def _match_state(count: int, visible: int) -> str:
    """Describe what matches, for the error of a wait that timed out."""
    if not count:
        return "nothing matches it"
    some = f"{count} element{'s match' if count > 1 else ' matches'} it"
    return f"{some} and {visible or 'none'} {'are' if visible > 1 else 'is'} visible"


def _as_timeout(
    exc: BrowseError, what: str, limit_ms: int, state: str, page: str = ""
) -> BrowseError:
    return timed_out(what, limit_ms, state, page) if exc.code is Code.TIMEOUT else exc


def timed_out(what: str, limit_ms: int, state: str, page: str = "") -> BrowseError:
    """Build the error for what did not come true in time: how things stand."""
    return BrowseError(
        Code.TIMEOUT,
        f"Waited {limit_ms} ms for {what}: {state}.",
        hint="look with `browse text`, or wait longer with --timeout <ms>",
        page=page,
    )
