"""Waiting until a page is as it should be; a failed wait says for what, and how things stand."""

import asyncio
import fnmatch
import re
from typing import Literal

from playwright.async_api import Frame, Locator

from browse.browser.driver_errors import translated
from browse.browser.page import scripts
from browse.browser.reading.evaluate import runnable
from browse.core.errors import BrowseError, Code

LOOK_MS = 250  # the driver needs so much to look even once
POLL_S = 0.1
_IS_TRUTHY = scripts.expression("standalone/is_truthy")
LoadState = Literal["load", "domcontentloaded", "networkidle"]
_REACHED = {
    "load": "Page loaded",
    "domcontentloaded": "DOM content loaded",
    "networkidle": "Network idle",
}


async def for_state(frame: Frame, state: LoadState, limit_ms: int) -> str:
    """Wait for the document's own milestones."""
    try:
        with translated(f"waiting for {state}"):
            await frame.wait_for_load_state(state, timeout=limit_ms)
    except BrowseError as exc:
        raise _late(
            exc,
            f"'{state}'",
            limit_ms,
            "requests are still open" if state == "networkidle" else "the page is still loading",
        ) from exc
    return _REACHED[state]


async def for_element(place: Locator, selector: str, limit_ms: int, *, gone: bool) -> str:
    """Wait until an element can be seen, or no longer can."""
    seen = place.filter(visible=True)
    try:
        with translated("waiting for the element", selector=selector):
            await seen.first.wait_for(state="hidden" if gone else "visible", timeout=limit_ms)
    except BrowseError as exc:
        if exc.code is not Code.TIMEOUT:
            raise
        with translated("looking for the element"):
            count, visible = await place.count(), await seen.count()
        if bool(visible) is gone:  # else it came true, and a busy machine had no time to look
            wanted = f"element {selector!r} to {'go' if gone else 'appear'}"
            raise _vain(wanted, limit_ms, _standing(count, visible)) from exc
    return f"Element {selector} {'is gone' if gone else 'appeared'}"


async def for_text(frame: Frame, text: str, limit_ms: int, *, gone: bool) -> str:
    """Wait until text can be seen, or no longer can."""
    place = frame.get_by_text(text).filter(visible=True)
    try:
        with translated("waiting for the text"):
            await place.first.wait_for(state="hidden" if gone else "visible", timeout=limit_ms)
    except BrowseError as exc:
        raise _late(
            exc,
            f"text {text!r} to {'go' if gone else 'appear'}",
            limit_ms,
            "it is visible" if gone else "it is not visible",
        ) from exc
    return f"Text {text!r} {'is gone' if gone else 'appeared'}"


async def for_url(frame: Frame, pattern: str, limit_ms: int) -> str:
    """Wait until the address contains a text, or matches a glob."""
    glob = re.compile(fnmatch.translate(pattern)) if re.search(r"[*?\[]", pattern) else None
    try:
        with translated("waiting for the address"):
            await frame.wait_for_url(
                lambda url: bool(pattern in url or (glob and glob.match(url))),
                timeout=limit_ms,
                wait_until="commit",
            )
    except BrowseError as exc:
        raise _late(
            exc, f"an address like {pattern!r}", limit_ms, "`browse url` shows where the tab is"
        ) from exc
    return f"URL matches {pattern}"


async def for_expression(frame: Frame, expression: str, limit_ms: int) -> str:
    """Wait until an expression is true in the page; one that throws is not true yet."""
    thrown = ""
    try:
        async with asyncio.timeout(limit_ms / 1000):
            while True:
                try:
                    await _becomes_true(frame, runnable(expression), limit_ms)
                    return "Condition is true"
                except BrowseError as exc:
                    if exc.code is not Code.SCRIPT_FAILED or exc.page.startswith("SyntaxError"):
                        raise
                    thrown = exc.page
                await asyncio.sleep(POLL_S)
    except TimeoutError as exc:
        what = f"{expression[:80]!r} to be true"
        standing = "it throws an error" if thrown else "it is still false"
        raise _vain(what, limit_ms, standing, page=thrown) from exc


async def _becomes_true(frame: Frame, expression: str, limit_ms: int) -> None:
    """Ask again and again. The driver takes any promise for true: look at what became of it."""
    while True:
        with translated("waiting for your expression"):
            handle = await frame.wait_for_function(expression, timeout=2 * limit_ms)
            true = await handle.evaluate(_IS_TRUTHY)
            await handle.dispose()
        if true:
            return
        await asyncio.sleep(POLL_S)


def _standing(count: int, visible: int) -> str:
    """Say how things stand with an element that was waited for in vain."""
    if not count:
        return "nothing matches it"
    some = f"{count} element{'s match' if count > 1 else ' matches'} it"
    return f"{some} and {visible or 'none'} {'are' if visible > 1 else 'is'} visible"


def _late(exc: BrowseError, what: str, limit_ms: int, standing: str) -> BrowseError:
    return _vain(what, limit_ms, standing) if exc.code is Code.TIMEOUT else exc


def _vain(what: str, limit_ms: int, standing: str, page: str = "") -> BrowseError:
    return BrowseError(
        Code.TIMEOUT,
        f"Waited {limit_ms} ms for {what}: {standing}.",
        hint="look with `browse text`, or wait longer with --timeout <ms>",
        page=page,
    )
