"""Move the running session into a window and back: same daemon, same tabs, same numbers.

The new Chromium is started and filled beside the old one. Only when every tab has its page there
do the tabs move, in one step; whatever fails before that leaves the old one as it was.
"""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack

from browse.auth.caller import ROOT, Caller
from browse.browser.process.browser import Browser
from browse.browser.process.launch import headless
from browse.browser.process.running_chromium import Launch, RunningChromium
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import PreparedPage, Tabs
from browse.browser.window import carry
from browse.browser.window.carry import CarriedSession
from browse.browser.window.launch import in_window
from browse.browser.window.welcome import welcome
from browse.core.tasks import spawn


async def open_window(
    browser: Browser, caller: Caller = ROOT, *, display: Mapping[str, str] | None = None
) -> list[str] | None:
    """Move the session into a window; return notes, or None if somebody was told of it already.

    `display` has the variables that name a display, if it is not that of the daemon.
    """
    async with browser.switching:
        await browser.tabs()
        if browser.mode == "headed":
            is_known, browser.is_window_known = browser.is_window_known, True
            await welcome(browser)
            return None if is_known else browser.window_notes
        notes = await _switch(browser, in_window(browser, display or {}), "connect")
        browser.is_window_known = True
        browser.news.tell_window()
    await welcome(browser)
    await browser.show(await (await browser.tabs()).current(caller))
    return notes


async def close_window(browser: Browser) -> list[str] | None:
    """Move the session out of its window; return notes, or None if it is in none."""
    async with browser.switching:
        await browser.tabs()
        if browser.mode == "launched":
            return None
        browser.is_window_known = False
        return await _switch(browser, headless(browser.settings, browser.paths), "disconnect")


async def _switch(browser: Browser, launch: Launch, command: str) -> list[str]:
    sessions = {"": await browser.tabs(), **browser.named()}
    for tabs in sessions.values():
        tabs.require_no_recording()
    async with AsyncExitStack() as stack:
        for tabs in sessions.values():
            await stack.enter_async_context(tabs.held_still(command))
        chromium, carried = await _start_and_read(browser, launch, list(sessions.values()))
        try:
            moves = [
                await _prepared(browser, chromium, tabs, session, usual=name == "")
                for (name, tabs), session in zip(sessions.items(), carried, strict=True)
            ]
        except BaseException:
            # In its own task: in a cancelled one, timeouts of Python 3.11.2 fail.
            await spawn(browser.drop(chromium), name="close what did not become ours")
            raise
        before = browser.take(chromium)
        for move in moves:
            move.commit(chromium)
        closing = spawn(_close(browser, before), name="close the Chromium before")
        await asyncio.gather(*(carry.refill(move.tabs, move.session) for move in moves))
        if before and before.window:
            await closing  # the window is gone when the reply says so, and its profile is free
    return [*browser.window_notes, *(note for move in moves for note in move.notes())]


class _Move:
    """A session whose pages are ready in another Chromium."""

    def __init__(self, tabs: Tabs, session: CarriedSession, pages: dict[Tab, PreparedPage]) -> None:
        self.tabs = tabs
        self.session = session
        self._pages = pages

    def commit(self, chromium: RunningChromium) -> None:
        context = next(page.context for page, _ in self._pages.values())
        self.tabs.move(context, chromium.rules, self._pages)

    def notes(self) -> list[str]:
        """List what could not be carried."""
        rows = self.session.tabs.items()
        return [
            *self.session.notes,
            *(f"tab {tab.id}: {it}" for tab, on in rows for it in on.notes),
        ]


async def _start_and_read(
    browser: Browser, launch: Launch, sessions: list[Tabs]
) -> tuple[RunningChromium, list[CarriedSession]]:
    """Start another Chromium, and read the sessions meanwhile."""
    starting = spawn(browser.start_beside(launch), name="start another Chromium")
    try:
        carried = [await carry.read(tabs, browser.welcome_url) for tabs in sessions]
        return await asyncio.shield(starting), carried
    except BaseException:
        await spawn(_undo(browser, starting), name="close what did not become ours")
        raise


async def _close(browser: Browser, before: RunningChromium | None) -> None:
    if before:
        await browser.drop(before)


async def _undo(browser: Browser, starting: "asyncio.Task[RunningChromium]") -> None:
    await asyncio.wait([starting])
    if not starting.cancelled() and not starting.exception():
        await browser.drop(starting.result())


async def _prepared(
    browser: Browser,
    chromium: RunningChromium,
    tabs: Tabs,
    session: CarriedSession,
    *,
    usual: bool,
) -> _Move:
    context = await (chromium.usual_context() if usual else chromium.new_context())
    # The first window of a daemon has the logins of windows before; later ones have its own.
    add = context is chromium.window and not browser.had_window
    pages, _ = await asyncio.gather(
        carry.open_pages(tabs, context, chromium.rules, session),
        carry.fill(context, session, add=add),
    )
    await carry.load_pages(pages, session)
    return _Move(tabs, session, pages)
