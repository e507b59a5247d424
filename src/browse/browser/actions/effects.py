"""What the driver and page scripts tell of the effects of an action."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar

from playwright.async_api import ConsoleMessage, Download, Frame, Page, Request, Response
from playwright.async_api import Error as DriverError

from browse.browser.elements.departures import Departure
from browse.browser.elements.path_listeners import EventPath, known_path
from browse.browser.logs.traffic_log import NEVER_ENDING
from browse.browser.page.scripts import Script
from browse.browser.page.shapes import Watched
from browse.browser.page.signals import PageSignal
from browse.browser.tabs.dialogs import DialogRecord
from browse.core.clock import wall_ms
from browse.core.tasks import spawn

MAX_KEPT = 100
MAX_ANSWERS = 1_000
# What a script asks for, so that its answer may change the document.
ASKED = ("fetch", "xhr", "script", "document")
# A page shows an answer so soon; what changes later has another cause, such as a timer.
SHOWN_MS = 100
# Statuses of an answer that leaves the page as it is.
NO_CONTENT = (204, 205)
T = TypeVar("T")


class ActionEffects:
    """What was seen between the action and the moment the tab was quiet."""

    watching: asyncio.Task[None]
    # The page's document, if it has no others: scripts of an action begin to watch it and look.
    only: Frame | None = None
    start: dict[str, Any] | None = None
    looked: Watched | None = None
    # What the events of the action pass, resolved while it still runs.
    path: asyncio.Task[EventPath | None] | None = None

    def __init__(self, departure: Departure) -> None:
        self.departure = departure
        # Whether there was nothing to do, so that nothing can come.
        self.is_needless = False
        self.navigated = False
        self.closed = False  # whether the page has closed itself
        self.changes = 0
        self.popups: list[Page] = []
        self.downloads: list[str] = []
        self.errors: list[str] = []
        self.dialogs: list[DialogRecord] = []
        # What alerts, status lines and invalid fields say because of the action.
        self.alerts: list[str] = []
        # Whether a link was followed or a form sent of which nothing has been seen yet.
        self.loading_unseen = False
        # Whether something has changed only where the page changes by itself.
        self.ticked = False
        # Signs of a reaction that page scripts have signalled, and where the action arrived.
        self.signs = 0
        self.acted: PageSignal | None = None
        self._has_acted = asyncio.Event()
        # Whether the time for a first sign is over, by the clock of the page.
        self.is_over = False
        self._own: set[Request] = set()
        # When the action arrived, and when answers came and had been asked for, in milliseconds.
        self._acted_at = 0.0
        self._answers: list[tuple[float, float]] = []
        # When other things have begun to come that were asked for before it, such as pictures.
        self._others: list[float] = []
        self._open: set[Request] = set()
        self._loading: Request | None = None
        # Frames that an older request was loading: that they arrive is no answer.
        self.arriving: set[Frame] = set()
        self._windows = 0
        self._frames = 0
        self._changed = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        """Whether the action had no visible effect."""
        events = self.popups or self.downloads or self.errors or self.dialogs
        return not (
            events or self.closed or self.navigated or self.changes or self._own or self._windows
        )

    @property
    def has_event(self) -> bool:
        """Whether the driver has told of a reaction; a request alone is none yet."""
        events = self.popups or self.downloads or self.dialogs or self._loading
        return bool(events or self.closed or self.navigated or self.changes or self._windows)

    def is_answer(self, signs: Sequence[float]) -> bool:
        """Whether one of the signs at these times is more than what older requests brought.

        A sign is taken to come from the last answer before it, if that was just before. Where the
        action has asked for something itself, anything older that comes may bring a sign; from then
        on none counts until what the action asked for is answered.
        """
        answers = self._answers
        own = [at for at, asked in answers if asked >= self._acted_at]
        is_open = any(it.resource_type in ASKED for it in self._open)
        if own or is_open:
            answers = [*answers, *((at, -1.0) for at in self._others)]
        older = min((at for at, asked in answers if asked < self._acted_at), default=math.inf)
        answered = math.inf if is_open else max(own, default=0.0)

        def is_older(sign: float) -> bool:
            before = (it for it in answers if it[0] <= sign <= it[0] + SHOWN_MS)
            return max(before, default=(0.0, self._acted_at))[1] < self._acted_at

        return any((it < older or it >= answered) and not is_older(it) for it in signs)

    @property
    def is_busy(self) -> bool:
        """Whether something that the action started is still under way."""
        return bool(self._open or self._loading or len(self.popups) < self._windows)

    @property
    def said(self) -> list[str]:
        """What the page said: in dialogs, alerts and status lines, as one line each."""
        dialogs = [f"{it.kind}: {' '.join(it.message.split())}" for it in self.dialogs]
        return [*dialogs, *(f"alert: {' '.join(it.split())}" for it in self.alerts)]

    @property
    def is_loading(self) -> bool:
        """Whether a new document was sent for, and is still to come."""
        return self._loading is not None

    @property
    def pending(self) -> list[Request]:
        """What the action asked for and has not been answered: the document, else the others."""
        return [self._loading] if self._loading else list(self._open)

    @property
    def _has_loaded(self) -> bool:
        events = self.popups or self.downloads or self.dialogs
        return bool(events or self.navigated or self._own or self._windows or self._frames)

    def on_request(self, request: Request) -> None:
        # The one would always take the whole limit; the other is in the page already.
        if request.resource_type in NEVER_ENDING or _is_local(request):
            return
        self._own.add(request)
        self._open.add(request)
        self._changed.set()
        with suppress(DriverError):  # a frame that is being created cannot be asked yet
            if request.is_navigation_request():
                self.arriving.discard(request.frame)
                if request.frame.parent_frame is None:
                    self._load(request)

    def _load(self, document: Request | None) -> None:
        self._loading = document
        (self.departure.begin if document else self.departure.end)()

    def on_response(self, response: Response) -> None:
        request = response.request
        self._note_answer(request, "responseStart")
        if self._asked_at(request) < self._acted_at and request.is_navigation_request():
            self.arriving.add(request.frame)

    def on_request_done(self, request: Request) -> None:
        if request not in self._own:  # what streams in may have begun before the action
            self._note_answer(request, "responseEnd")
        self._open.discard(request)
        self._changed.set()

    def on_request_failed(self, request: Request) -> None:
        # One that was answered becomes a download, of which the driver tells later.
        answer = request.existing_response
        if self._loading is request and (answer is None or answer.status in NO_CONTENT):
            self._load(None)
        self.on_request_done(request)

    def on_navigated(self, frame: Frame) -> None:
        if frame in self.arriving:
            self.arriving.discard(frame)
            return
        if frame.parent_frame is not None:
            self.changes += 1
            self._frames += 1
        else:
            self.navigated = True
            self.departure.end()
        self._changed.set()

    def on_parsed(self, _: Page) -> None:
        self._load(None)
        self._changed.set()

    def on_closed(self, _: Page) -> None:
        self.closed = True
        self._load(None)
        self._open.clear()
        self._changed.set()

    def on_popup(self, page: Page) -> None:
        _append_bounded(self.popups, page)
        self._changed.set()

    def on_window(self, _: object) -> None:
        """Count a window that is about to open; its page is reported much later."""
        self._windows = min(self._windows + 1, MAX_KEPT)
        self._changed.set()

    def on_download(self, download: Download) -> None:
        _append_bounded(self.downloads, download.suggested_filename)
        self._load(None)
        self._changed.set()

    def on_dialog(self, asked: DialogRecord | None) -> None:
        if asked:
            _append_bounded(self.dialogs, asked)
            self._changed.set()

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            _append_bounded(self.errors, message.text)

    def on_error(self, error: Any) -> None:
        _append_bounded(self.errors, str(error))

    def on_signal(self, signal: PageSignal) -> None:
        """Take a signal of a page script that watches a document."""
        word, _, at = signal.word.partition(" ")
        if word in ("acted", "typed"):
            if self.acted is None and word == "acted":
                self.path = spawn(known_path(signal), name="the path of an event")
            self.acted = self.acted or signal
            self._acted_at = float(at)
            self._has_acted.set()
            self.signs = 0  # those were before it
        else:
            self.signs += word == "sign"
            self.is_over |= word == "over"
            self._changed.set()

    async def until_acted(self) -> PageSignal:
        """Wait for the signal of the action: a look around may be answered before it arrives."""
        while self.acted is None:
            await self._has_acted.wait()
        return self.acted

    def take_start(self) -> dict[str, Any] | None:
        """Take the options with which the script that finds an element begins the watch."""
        start, self.start = self.start, None
        return start

    async def run_last(self, script: Script[T], frame: Frame, **arguments: Any) -> T:
        """Run the last script of an action, which looks around where there is one document."""
        if frame is not self.only:
            async with self.departure.ending():
                return await script(frame, **arguments)
        async with self.departure.ending():
            value, self.looked = await script.look(frame, **arguments)
        return value

    def add_done(self, facts: Mapping[str, Any]) -> None:
        """Add what only the command can see: that it changed something, or had no need to."""
        self.changes += facts.get("changed", False)
        self.is_needless = facts.get("already", False)

    def add_later(self, *, came_true: bool, navigated: bool) -> None:
        """Add what was waited for after the page had been quiet."""
        self.changes += came_true
        self.navigated |= navigated
        if navigated:
            self._load(None)
            self._open.clear()
        self.ticked &= self.is_empty

    def _note_answer(
        self, request: Request, moment: Literal["responseStart", "responseEnd"]
    ) -> None:
        """Note when an answer began or ended, because a page may show it at either.

        By the browser's clock: signals of page scripts may overtake the driver's events.
        """
        if _is_local(request):
            return
        start, passed = request.timing["startTime"], request.timing[moment]
        # One that failed has no times.
        at = int(start + passed if start > 0 else wall_ms())
        asked = self._asked_at(request)
        if request.resource_type in ASKED:
            if len(self._answers) < MAX_ANSWERS:
                self._answers.append((at, asked))
        elif asked < self._acted_at <= at and len(self._others) < MAX_ANSWERS:
            self._others.append(at)

    def _asked_at(self, request: Request) -> float:
        """Return when one was sent: watching begins before the action arrives in the page."""
        if request not in self._own:
            return -1.0
        return request.timing["startTime"] if request.timing["startTime"] > 0 else math.inf

    def wake(self) -> None:
        """Make who waits look again."""
        self._changed.set()

    def forget_change(self) -> None:
        """Forget the last event, so that `next_change` waits for another one."""
        self._changed.clear()

    async def next_change(self) -> None:
        """Wait for an event since `forget_change`."""
        await self._changed.wait()

    async def until_loading(self) -> None:
        """Wait for the first sign of what a followed link or a sent form loads."""
        self.loading_unseen = True
        while not self._has_loaded:
            self._changed.clear()
            await self._changed.wait()
        self.loading_unseen = False

    async def until_quiet(self) -> None:
        while self.is_busy:
            self._changed.clear()
            await self._changed.wait()


def _is_local(request: Request) -> bool:
    """Whether a page asks for what it has made itself, such as the code of a worker.

    Or for what another program would open, such as a `mailto:` link.
    """
    return not request.url.startswith(("http:", "https:", "file:"))


def _append_bounded(kept: list[T], item: T) -> None:
    """Append to a list that a page could make arbitrarily long, up to a limit."""
    if len(kept) < MAX_KEPT:
        kept.append(item)
