"""Watch what an action causes, and wait until it has shown itself.

Watches the tab from just before an action until what it started is done: navigations and requests
that began after it, never those that were open before (a long poll, a stream), and changes of the
documents. Returns at once where nothing can come. Where the page listens and has not reacted, it
waits for the first sign of a reaction, up to a limit; what older requests bring is none. A link
that was followed or a form that was sent is waited for until it shows: a download is told of only
when the server answers.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakSet

from playwright.async_api import CDPSession, Frame, Page, Request, Response
from playwright.async_api import Error as DriverError

from browse.browser.actions.effects import ActionEffects
from browse.browser.elements import path_listeners
from browse.browser.elements.departures import departure_of
from browse.browser.elements.path_listeners import Kind, may_answer
from browse.browser.page import scripts, signals
from browse.browser.page.shapes import Watched
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

LIMIT_S = 2.0
SCRIPT_S = 3.0
RESPONSIVE_S = 0.5
# A page that listens to an action reacts within this time, or is taken not to.
FIRST_SIGN_MS = 400
# As page scripts have it, for a page whose signals do not arrive.
QUIET_S = 0.03
WINDOW = "Page.windowOpen"
MAX_FRAMES = 30
MAX_ALERTS = 5
T = TypeVar("T")
R = TypeVar("R", Request, Response)
# The sessions that tell of windows.
_telling: WeakSet[CDPSession] = WeakSet()


@asynccontextmanager
async def watch_effects(
    tab: Tab,
    settle_ms: int | None = None,
    *,
    finds_first: bool = False,
    limit_s: float = LIMIT_S,
) -> AsyncIterator[ActionEffects]:
    """Watch a tab while an action runs in the block, then wait for what it started.

    The block awaits `watching` before it acts; until then, it may look for what to act on.
    With `settle_ms`, the first sign is waited for so long, and a new value of a field is none.
    With `finds_first`, the script that finds an element begins the watch (`take_start`), if the
    page has one document only. What was started may take `limit_s`.
    """
    page = tab.page
    seen = ActionEffects(departure_of(page))
    # Of the whole context, because the driver sends these for the logs anyway: for each event that
    # a page alone is asked for, it is told at the beginning and at the end of every action.
    of_context: dict[str, Callable[..., None]] = {
        "request": _only_of(page, seen.on_request),
        "response": _only_of(page, seen.on_response),
        "requestfinished": _only_of(page, seen.on_request_done),
        "requestfailed": _only_of(page, seen.on_request_failed),
        # The browser's handler runs before this one, so the dialog has just been answered.
        "dialog": lambda it: seen.on_dialog(tab.dialogs.last) if it.page is page else None,
    }
    of_page: dict[str, Callable[..., None]] = {
        "framenavigated": seen.on_navigated,
        "domcontentloaded": seen.on_parsed,
        "popup": seen.on_popup,
        "close": seen.on_closed,
        "download": seen.on_download,
        "console": seen.on_console,
        "pageerror": seen.on_error,
    }
    frames = page.frames[:MAX_FRAMES]
    seen.arriving = {it for it in page.frames if not it.url}
    with signals.hearing(page, seen.on_signal) as token:
        first_ms = FIRST_SIGN_MS if settle_ms is None else settle_ms
        start = {"token": token, "patient": settle_ms is not None, "first": first_ms}
        seen.only = frames[0] if len(frames) == 1 else None
        seen.start = start if finds_first and seen.only else None
        watched = [] if seen.start else frames
        seen.watching = spawn(_start_watching(tab, seen, watched, start), name="watch an action")
        _each(page.context.on, of_context)
        _each(page.on, of_page)
        try:
            yield seen
            await seen.watching
            await _settle(seen, frames, first_ms, limit_s)
        finally:
            await asyncio.wait({seen.watching})
            seen.departure.end()  # nobody will tell of its end
            tab.acted = time.monotonic()
            spawn(_stop_watching(seen, frames, token), name="stop watching an action")
            await _hear_windows(tab, seen.on_window, off=True)
            _each(page.context.remove_listener, of_context)
            _each(page.remove_listener, of_page)


def _each(change: Any, listeners: dict[str, Callable[..., None]]) -> None:
    for event, listener in listeners.items():
        change(event, listener)


def _only_of(page: Page, listener: Callable[[R], None]) -> Callable[[R], None]:
    """Let a listener hear only the requests of one page, or their responses."""

    def heard(it: R) -> None:
        with suppress(DriverError):  # of a service worker, or of a window that is only opening
            if it.frame.page is page:
                listener(it)

    return heard


async def _start_watching(
    tab: Tab, seen: ActionEffects, frames: Sequence[Frame], options: dict[str, Any]
) -> None:
    starts = [_run(scripts.START_WATCHING, frame, default=False, **options) for frame in frames]
    hears = signals.until_open(tab.page)
    await asyncio.gather(_hear_windows(tab, seen.on_window), hears, *starts)


async def _hear_windows(tab: Tab, listener: Callable[..., None], *, off: bool = False) -> None:
    """Hear of windows that are about to open; a page that does not answer tells of none."""
    # KeyError: it was not added, because the page did not answer then.
    with suppress(DriverError, TimeoutError, BrowseError, KeyError):
        async with asyncio.timeout(RESPONSIVE_S):
            session = await tab.protocol()
            if off:
                session.remove_listener(WINDOW, listener)
                return
            if session not in _telling:
                await session.send("Page.enable")
                _telling.add(session)
            session.on(WINDOW, listener)


async def _settle(
    seen: ActionEffects, frames: Sequence[Frame], first_ms: int, limit_s: float
) -> None:
    """Wait until the reaction to an action is over, or there is none."""
    if seen.is_needless:
        return
    # A round trip: everything the action started has been reported by then.
    watched = seen.looked or await _look(frames)
    if watched.sends:  # a form is sent just after the script that sends it
        watched = await _look(frames)
    if not (seen.has_event or watched.loading or seen.is_answer(watched.signs)):
        watched = await _first_sign(seen, frames, watched, first_ms)
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            if watched.loading:
                await seen.until_loading()
            while seen.is_busy or not watched.quiet:
                watched = await _when_quiet(seen, frames)
    seen.changes += watched.changes
    seen.alerts = watched.alerts[:MAX_ALERTS]
    seen.ticked = bool(watched.ticks) and seen.is_empty


async def _when_quiet(seen: ActionEffects, frames: Sequence[Frame]) -> Watched:
    """Wait until what is under way has ended, or a document says that it is quiet; look again."""
    ended = seen.is_busy
    await seen.until_quiet()
    seen.forget_change()
    # What a request has brought is not in the document yet.
    watched = await _look(frames, tells=True, ended=ended)
    if not (seen.is_busy or watched.quiet):
        if signals.is_attached(frames[0].page):
            await seen.next_change()
        else:
            await asyncio.sleep(QUIET_S)
        watched = await _look(frames)
    return watched


async def _first_sign(
    seen: ActionEffects, frames: Sequence[Frame], watched: Watched, limit_ms: int
) -> Watched:
    """Wait for the first sign of a reaction, unless nothing in the page can react; look again."""
    can_answer = spawn(_may_answer(seen, watched), name="whether the page listens")
    can_answer.add_done_callback(lambda _: seen.wake())
    # Where page scripts watch the time, the page gets no less of it on a busy machine.
    limit_s = limit_ms / 1000 + (LIMIT_S if seen.acted else 0)
    try:
        async with asyncio.timeout(limit_s):
            while not (seen.has_event or seen.is_over):
                if can_answer.done() and not can_answer.result():
                    return watched
                if seen.is_answer(watched.signs):  # what the action asked for may have come
                    return watched
                if seen.signs:
                    watched = await _look_at_sign(seen, frames, watched)
                    if not watched.signs:
                        return watched
                else:
                    seen.forget_change()
                    await seen.next_change()
    except TimeoutError:
        pass
    finally:
        can_answer.cancel()
    return await _look(frames)


async def _look_at_sign(seen: ActionEffects, frames: Sequence[Frame], before: Watched) -> Watched:
    """Look after a sign; if those before were of older requests, have the next one told too."""
    if before.signs:
        seen.signs = 0
    return await _look(frames, anew=bool(before.signs))


async def _may_answer(seen: ActionEffects, watched: Watched) -> bool:
    if watched.runs or not watched.acted:
        return True
    kind: Kind = watched.acted
    acted = await seen.until_acted()
    path = await seen.path if seen.path else None
    return await may_answer(acted, kind, path if path and path.version == watched.path else None)


async def _look(
    frames: Sequence[Frame], *, tells: bool = False, ended: bool = False, anew: bool = False
) -> Watched:
    """Add up what happened in all frames; count one that does not answer as changed."""
    unknown = Watched(changes=1, signs=[0])
    options = {"tells": tells, "ended": ended, "anew": anew}
    looks = [_run(scripts.LOOK, frame, default=unknown, **options) for frame in frames]
    seen = await asyncio.gather(*looks)
    acted = [each.acted for each in seen if each.acted]
    return Watched(
        changes=sum(each.changes for each in seen),
        ticks=sum(each.ticks for each in seen),
        signs=[at for each in seen for at in each.signs],
        acted=acted[0] if len(acted) == 1 else "",
        path=sum(each.path for each in seen if each.acted),
        runs=any(each.runs for each in seen),
        loading=any(each.loading for each in seen),
        sends=any(each.sends for each in seen),
        quiet=all(each.quiet for each in seen),
        alerts=[words for each in seen for words in each.alerts],
    )


async def _stop_watching(seen: ActionEffects, frames: Sequence[Frame], token: str) -> None:
    if seen.path and seen.acted:
        await asyncio.wait({seen.path}, timeout=SCRIPT_S)
        await path_listeners.release(seen.acted)
    stops = [_run(scripts.STOP_WATCHING, frame, default=False, token=token) for frame in frames]
    await asyncio.gather(*stops)


async def _run(script: scripts.Script[T], frame: Frame, *, default: T, **options: Any) -> T:
    """Run a script in one frame; return the default if it does not answer."""
    try:
        async with asyncio.timeout(SCRIPT_S), departure_of(frame.page).ending():
            return await script(frame, **options)
    except (BrowseError, DriverError, TimeoutError):
        return default
