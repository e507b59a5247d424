"""One tab with a fixed number. The page in it is Playwright's and can be replaced."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import new_session
from browse.browser.driver_errors import (
    PageUnreachable,
    frame_gone,
    loading_stopped,
    not_renewed,
    page_flooded,
    replaced,
    tab_crashed,
    translated,
)
from browse.browser.emulation.emulation import USUAL_SCREEN, Emulation, Emulator
from browse.browser.network.file_requests import FileRequests
from browse.browser.tabs.close_page import end
from browse.browser.tabs.dialogs import Dialogs
from browse.browser.tabs.last_seen import SeenByCallers
from browse.browser.tabs.leave_page import PageHangs, PageRestless, go, reload, watched
from browse.browser.tabs.locks import TabLock
from browse.browser.tabs.refs import RefNumbers
from browse.browser.tabs.written_pages import MARKUP
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.core.text import cut, well_formed
from browse.guard.urls import NavUrl
from browse.security.characters import invisible

if TYPE_CHECKING:
    from browse.browser.reading.snapshot import PreviousSnapshot
    from browse.browser.visual.styles import StyleChange

log = logging.getLogger(__name__)

T = TypeVar("T")
Attached = tuple[CDPSession, Emulator]
WaitUntil = Literal["load", "domcontentloaded", "networkidle"]
ERROR_PAGE_MS = 1000
TITLE_S = 2.0
MAX_TITLE_CHARS = 300
RESPONSIVE_S = 0.5
EMULATE_S = 3.0
RENEW_S = 6.0
RENEWALS = 2


class Tab:
    """A tab with its lock, its page, and what is known without asking the page."""

    def __init__(
        self,
        id: int,
        page: Page,
        renew: Callable[[], Any],
        *,
        explained: Callable[[Page, BrowseError], BrowseError],
        dialogs: Dialogs,
        emulation: Emulation,
        navigation_ms: int,
        files: FileRequests,
    ) -> None:
        self.id = id
        self.navigation_ms = navigation_ms
        self.owner = ""  # the client that the tab belongs to; "" for the owner of the daemon
        self.is_popup = False  # whether a page opened it
        self.dialogs = dialogs
        self.screen = emulation.screen
        self.lock = TabLock()
        self.crashed = self.flooded = False
        self.is_renewed = False  # whether the last navigation needed a new page
        self.last_title = ""  # of this document; "" before it was asked for
        self.refs = RefNumbers()
        self.last_snapshots: dict[str, PreviousSnapshot] = {}  # by caller
        self.seen = SeenByCallers()
        self.known_urls: dict[str, str] = {}  # by caller: the address that it was last told
        self.last_inspected = ""
        self.acted = 0.0  # when the last action in it ended, on the monotonic clock
        self.restyled: list[StyleChange] = []
        self._renew = renew
        self._explained = explained
        self._emulation = emulation
        self._files = files
        self._take(page)

    def move(self, page: Page, attached: Attached, files: FileRequests) -> None:
        """Continue in a page of another browser; it was attached to, and its rules are set."""
        self._files = files
        self._take(page, attached)

    def _take(self, page: Page, attached: Attached | None = None) -> None:
        self.page = page
        self.crashed = self.flooded = False
        self.held_keys: list[str] = []  # by `keydown`; a new page has a keyboard of its own
        self._chosen: Frame | None = None
        page.on("crash", self._on_crash)
        page.on("domcontentloaded", self._on_document)
        self.refs.restart()
        with suppress(AttributeError):  # then numbers of refs only grow
            frame = page.main_frame._impl_obj
            frame._event_emitter.on("navigated", partial(self._on_navigated, page))
        # Attach early: a page with an endless script can no longer be attached to.
        attaching = _done(attached) if attached else self.attach(page)
        self._session = spawn(attaching, name=f"tab {self.id}: protocol session")
        spawn(self.catch_up(), name=f"tab {self.id}: what is emulated")

    async def attach(self, page: Page) -> Attached:
        with translated("attaching to the tab"):  # which may be closed by now
            session = await new_session(page)
        return session, Emulator(page, session)

    @property
    def fits_window(self) -> bool:
        """Whether the page is as large as the window that it is in."""
        return self.screen is USUAL_SCREEN and self.is_in_window

    @property
    def is_in_window(self) -> bool:
        """Whether the page is in a window that a person sees."""
        return self.page.viewport_size is None

    def _on_crash(self, _: Page) -> None:
        self.crashed = True
        self._chosen = None
        log.warning("tab %d crashed", self.id)

    def _on_navigated(self, page: Page, event: Mapping[str, Any]) -> None:
        """Forget the last document for a new one; the public event comes for a new fragment too."""
        if page is self.page and event.get("newDocument") and not event.get("error"):
            self.refs.restart()
            self.last_title = ""

    def close_flood(self, page: Page) -> None:
        """Close a page that sends more than the driver can pass on; the tab stays, as crashed."""
        if page is self.page and not self.flooded:
            self.crashed = self.flooded = True
            self._chosen = None
            log.warning("tab %d: its page floods the browser and is closed", self.id)
            spawn(end(page, self.protocol), name=f"tab {self.id}: close a page that floods")

    def _on_document(self, _: Page) -> None:
        """Drop the chosen frame: the frames of the old document are gone."""
        self.drop_lost_frame()
        spawn(self.catch_up(), name=f"tab {self.id}: what is emulated")
        spawn(self._run_first_script(), name=f"tab {self.id}: its worlds")

    async def _run_first_script(self) -> None:
        """Run a first script in a page that has none of its own.

        If a frame of another site navigated the whole tab to that site, the headless shell allows
        no isolated world in the page before a script has run in it.
        """
        with suppress(DriverError, BrowseError):  # the page has navigated, or is gone
            await (await self.protocol()).send("Runtime.evaluate", {"expression": "0"})

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def closed(self) -> bool:
        return self.page.is_closed()

    @property
    def frame(self) -> Frame:
        """The frame that commands read and act in: the chosen frame, else the main frame."""
        self.check_page()
        if self.drop_lost_frame():
            raise frame_gone()
        return self._chosen or self.page.main_frame

    def check_page(self) -> None:
        """Raise if the tab has no living page."""
        if self.crashed:
            raise page_flooded() if self.flooded else tab_crashed()

    @property
    def in_frame(self) -> bool:
        """Whether a frame is chosen and still exists."""
        return self._chosen is not None and not self._chosen.is_detached()

    @property
    def chosen(self) -> Frame | None:
        """The chosen frame, even if it is gone and no command has reported that yet."""
        return self._chosen

    def choose(self, frame: Frame | None) -> None:
        """Choose the frame for the following commands; None is the main document."""
        self._chosen = frame if frame and frame.parent_frame else None

    def drop_lost_frame(self) -> bool:
        """Choose the main document if the chosen frame is gone; return whether it was."""
        gone = self._chosen is not None and not self.in_frame
        if gone:
            self._chosen = None
        return gone

    async def title(self) -> str:
        """Return what a reader can see of the title, up to a limit."""
        with translated("reading the title"):
            title = invisible.visible(well_formed(await self.page.title()))
        self.last_title = cut(title, MAX_TITLE_CHARS)
        return self.last_title

    async def refresh_title(self) -> bool:
        """Ask for the title, as `last_title`; return whether the page has answered in time."""
        with suppress(BrowseError, TimeoutError):
            async with asyncio.timeout(TITLE_S):
                await self.title()
                return True
        return False

    async def open(self, url: NavUrl | str, *, until: WaitUntil = "domcontentloaded") -> int | None:
        """Navigate; return the HTTP status, or None if there is none (about:blank, a fragment).

        Only as a `NavUrl`, checked for a caller, does a file open that the tab did not show yet.
        """
        await self._revive()
        try:
            return await self._go(url, until)
        except BrowseError as exc:
            if exc.code is not Code.TAB_CRASHED:
                raise
            # The old page had crashed, and the event came only now; or the new page got a spare
            # process that had died along with the old one.
            self.crashed = True
            await self._revive()
            return await self._go(url, until)

    async def _go(self, url: NavUrl | str, until: WaitUntil) -> int | None:
        return await self._leaving(lambda: self._sent(url, until), url, until)

    async def reload(self) -> int | None:
        """Load the page again; a crashed tab gets a new page at the same address."""
        if self.crashed:
            return await self.open(self.url)
        until: WaitUntil = "domcontentloaded"
        return await self._leaving(
            lambda: reload(self.page, until=until, limit_ms=self.navigation_ms), self.url, until
        )

    async def _leaving(
        self,
        move: Callable[[], Coroutine[Any, Any, int | None]],
        url: NavUrl | str,
        until: WaitUntil,
    ) -> int | None:
        """Leave a document; if it blocks the tab, continue in a new page."""
        page, self.is_renewed = self.page, False
        try:
            return await self._navigating(lambda: watched(page, move))
        except (PageHangs, PageRestless) as exc:
            log.warning("tab %d: its page did not let go: %r", self.id, exc)
        await self._replace()
        self.is_renewed = True
        try:
            return await self._navigating(lambda: self._sent(url, until))
        except PageRestless as exc:
            raise replaced() from exc

    async def _sent(self, url: NavUrl | str, until: WaitUntil) -> int | None:
        text = url if isinstance(url, str) else url.text
        if isinstance(url, NavUrl):
            await self._files.expect(self.page, url)
        return await go(
            self.page, text, until=until, limit_ms=self.navigation_ms, attached=self.protocol
        )

    async def travel(self, step: Literal[-1, 1]) -> int | None:
        """Go back or forward in this tab's history; return the HTTP status, if there is one."""
        _ = self.frame
        session = await self.protocol()
        with translated("reading the tab's history"):
            history = await session.send("Page.getNavigationHistory")
        if not 0 <= history["currentIndex"] + step < len(history["entries"]):
            way = "back" if step < 0 else "forward"
            raise BrowseError(
                Code.NO_HISTORY,
                f"There is no page to go {way} to.",
                hint="run `browse goto <url>`; the tab has not moved",
            )
        move = self.page.go_back if step < 0 else self.page.go_forward
        response = await self._navigating(
            lambda: move(wait_until="domcontentloaded", timeout=self.navigation_ms)
        )
        return response.status if response else None

    async def load_html(self, html: str, *, until: WaitUntil) -> None:
        """Show markup at about:blank, so that its scripts get no site's cookies."""
        await self._revive()
        await self._go("about:blank", "load")
        MARKUP[self.page] = html
        await self._navigating(
            lambda: self.page.set_content(html, wait_until=until, timeout=self.navigation_ms)
        )

    async def _navigating(self, move: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            with translated("waiting for the page"):
                result = await move()
                self.drop_lost_frame()  # its event may come too late
                return result
        except BrowseError as exc:
            if isinstance(exc, PageUnreachable) and exc.leads_to_error_page:
                await self._let_error_page_come()
            if exc.code is not Code.TIMEOUT:
                raise self._explained(self.page, exc) from exc
            await self._stop_loading()
            await self.unstick()
            raise loading_stopped(self.navigation_ms / 1000) from exc

    async def _let_error_page_come(self) -> None:
        """Wait for Chromium's error page: it loads late and would replace the next navigation."""
        with suppress(DriverError):  # another page may have loaded instead
            await self.page.wait_for_url(
                "chrome-error://**", wait_until="commit", timeout=ERROR_PAGE_MS
            )

    async def _revive(self) -> None:
        """Put a new page into a crashed tab, keep its number, and apply the emulation."""
        if self.crashed:
            await self._replace()
        await self.catch_up()

    async def _replace(self) -> None:
        """Put a new page into the tab; history and session storage of the old one are lost."""
        old, attached = self.page, self._session
        self._take(await self._renewed())
        # Not awaited: a crashed page may refuse to close, or never answer.
        spawn(end(old, lambda: _first(attached)), name=f"tab {self.id}: close its old page")

    async def _renewed(self) -> Page:
        """Open a page for a crashed tab; try again if its process died along with the old one."""
        for _ in range(RENEWALS):
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_S):
                    page: Page = await self._renew()
                    return page
        raise not_renewed()

    async def emulate(self) -> None:
        """Apply the emulation and the tab's screen size to the page."""
        with translated("emulating"):
            _, emulator = await asyncio.shield(self._session)
            await emulator.apply(self._emulation.now, self.screen)

    async def catch_up(self) -> bool:
        """Do the same if the page answers in time; return whether it was done."""
        try:
            async with asyncio.timeout(EMULATE_S):
                await self.emulate()
        except TimeoutError:
            return False
        except BrowseError as exc:
            if not self.closed:
                log.warning("tab %d: emulating failed: %s %s", self.id, exc.message, exc.page)
            return False
        return True

    async def unstick(self) -> None:
        """Stop the page's script if it still runs after a command was cancelled."""
        with suppress(TimeoutError):
            async with asyncio.timeout(RESPONSIVE_S):
                with suppress(DriverError):  # the page has navigated, so nothing blocks it
                    await self.page.evaluate("0")
            return
        with suppress(DriverError, TimeoutError, BrowseError):
            async with asyncio.timeout(RESPONSIVE_S):
                session = await self.protocol()
                await session.send("Runtime.terminateExecution")
            log.info("tab %d: ended a script that did not yield", self.id)

    async def _stop_loading(self) -> None:
        with suppress(DriverError, TimeoutError, BrowseError):
            async with asyncio.timeout(RESPONSIVE_S):
                session = await self.protocol()
                await session.send("Page.stopLoading")

    async def protocol(self) -> CDPSession:
        """Return the tab's own CDP session, for what the driver cannot do."""
        with translated("talking to the tab"):
            session, _ = await asyncio.shield(self._session)
            return session


async def _first(attached: "asyncio.Task[Attached]") -> CDPSession:
    return (await asyncio.shield(attached))[0]


async def _done(attached: Attached) -> Attached:
    return attached
