"""Console messages and uncaught errors of every frame of a tab.

They are read over CDP: the driver's own event keeps a handle for every logged value, which is ten
kilobytes a line, for up to a hundred thousand lines.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import new_session
from browse.browser.logs.event_listener import quick
from browse.browser.logs.ring_buffer import RingBuffer
from browse.browser.page import signals
from browse.core.log_file import LogFile
from browse.core.tasks import spawn
from browse.core.text import counted, well_formed
from browse.guard.secrets import redacted_url, scrubbed

MAX_TEXT_CHARS = 4_000
MAX_URL_CHARS = 2_000
# Chromium keeps logged objects in memory until they are released.
RELEASE_EVERY = 500
ERRORS = ("error", "warning", "assert")
_LEVELS = {"verbose": "debug"}
Send = Callable[[str, dict[str, Any]], Awaitable[Any]]


class ConsoleMessage(msgspec.Struct, frozen=True):
    """One message of a console; `with_source`: its line shows the source as well."""

    at: float
    level: str
    text: str
    tab: int
    source: str = ""
    line: int = 0
    with_source: bool = False

    @property
    def spelled(self) -> str:
        where = f"{self.source}:{self.line}" if self.line else self.source
        tail = f" ({where})" if self.with_source and where else ""
        return f"[{iso(self.at)}] [{self.level}] {self.text}{tail}"


def iso(seconds: float) -> str:
    """Format a time as `2026-01-31T10:00:00.000Z`."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class ConsoleLog:
    """The consoles of all tabs, in one ring buffer."""

    def __init__(self, journal: LogFile) -> None:
        self.ring: RingBuffer[ConsoleMessage] = RingBuffer(
            lambda said: sys.getsizeof(said.text) + len(said.source)
        )
        self._journal = journal

    async def follow(self, page: Page, tab: int, on_flood: Callable[[Page], None]) -> None:
        """Listen to a page from now on; its earlier messages come as well.

        `on_flood` is called when the page sends more than the driver can pass on.
        """
        heard: set[Frame] = set()

        def on_navigated(frame: Frame) -> None:
            # A frame of another site gets its own target when it navigates. We do not use
            # `Target.setAutoAttach`: the driver uses it too, and with both, Chromium sometimes
            # stops loading a frame within such a frame.
            if frame.parent_frame and frame not in heard:
                heard.add(frame)
                spawn(self._hear(frame, tab, heard), name=f"tab {tab}: console of a frame")

        page.on("framenavigated", quick(on_navigated))
        await self._hear(page, tab, heard, lambda: on_flood(page))

    async def _hear(
        self,
        place: Page | Frame,
        tab: int,
        heard: set[Frame],
        on_flood: Callable[[], None] = lambda: None,
    ) -> None:
        """Attach to a page or a frame; a frame without its own target is part of its parent's."""
        page = place.page if isinstance(place, Frame) else place
        try:
            session = await new_session(place)
            session.on("close", lambda _: heard.discard(place))
            signals.attach(page, session)
            await _Target(self, tab, session.send, on_flood).begin(session)
        except DriverError:  # or it is closed already
            heard.discard(place)

    def keep(self, message: ConsoleMessage) -> None:
        self.ring.add(message)
        self._journal.add(message.spelled)


class _Target:
    """A CDP target: a page, or a frame that runs in its own process."""

    def __init__(
        self,
        consoles: ConsoleLog,
        tab: int,
        send: Send,
        on_flood: Callable[[], None] = lambda: None,
    ) -> None:
        self._consoles = consoles
        self._on_flood = on_flood
        self._tab = tab
        self._send = send
        self._said = 0

    async def begin(self, session: CDPSession) -> None:
        def listener(event: str) -> Callable[[dict[str, Any]], None]:
            return quick(lambda params: self.hear(event, params))

        for event in EVENTS:
            session.on(event, listener(event))
        await asyncio.gather(self._send("Runtime.enable", {}), self._send("Log.enable", {}))

    def hear(self, event: str, params: dict[str, Any]) -> None:
        if event == "Runtime.consoleAPICalled":
            if not _is_the_drivers(params):
                self._keep(_called(params, self._tab))
        elif event == "Runtime.exceptionThrown":
            self._keep(_thrown(params, self._tab))
        elif event == "Log.entryAdded":
            self._keep(_logged(params["entry"], self._tab))
        elif event == DROPPED:
            self._keep(_dropped(params, self._tab))
            if params["floods"]:
                self._on_flood()

    def _keep(self, message: ConsoleMessage) -> None:
        self._consoles.keep(message)
        self._said += 1
        if self._said % RELEASE_EVERY == 0:
            spawn(self._release(), name=f"tab {self._tab}: console")

    async def _release(self) -> None:
        with suppress(DriverError):  # the target may be gone
            await self._send("Runtime.releaseObjectGroup", {"objectGroup": "console"})


# Ours: `process/drop_events.cjs` sends it.
DROPPED = "Browse.dropped"
EVENTS = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", DROPPED)


# The driver's own message by which it knows that `set_content` is done.
_SET_CONTENT = "--playwright--set--content--"


def _is_the_drivers(params: dict[str, Any]) -> bool:
    first = params["args"][0].get("value") if params["args"] else None
    return params["type"] == "debug" and isinstance(first, str) and first.startswith(_SET_CONTENT)


def _called(params: dict[str, Any], tab: int) -> ConsoleMessage:
    frames = params.get("stackTrace", {}).get("callFrames") or [{}]
    text = " ".join(_shown(value) for value in params["args"])
    return _message(params["timestamp"], params["type"], text, tab, frames[0])


def _thrown(params: dict[str, Any], tab: int) -> ConsoleMessage:
    details = params["exceptionDetails"]
    frames = details.get("stackTrace", {}).get("callFrames") or [details]
    error = _shown(details.get("exception", {})).partition("\n    at ")[0]
    text = f"{details['text']} {error}".strip()
    return _message(params["timestamp"], "error", text, tab, frames[0], with_source=True)


def _logged(entry: dict[str, Any], tab: int) -> ConsoleMessage:
    level = _LEVELS.get(entry["level"], entry["level"])
    return _message(entry["timestamp"], level, entry["text"], tab, entry, with_source=True)


def _dropped(params: dict[str, Any], tab: int) -> ConsoleMessage:
    said, asked = counted(params["console"], "console message"), params["network"]
    left_out = f"{said} and {counted(asked, 'request')}"
    text = f"browse left out {left_out} of this page: it sent too many at once"
    if params["floods"]:
        text += ", without end, so the page was closed"
    return ConsoleMessage(time.time(), "warning", text, tab)


def _message(
    stamp: float,
    level: str,
    text: str,
    tab: int,
    place: dict[str, Any],
    *,
    with_source: bool = False,
) -> ConsoleMessage:
    line = place.get("lineNumber", -1) + 1
    source = redacted_url(place.get("url", "")[:MAX_URL_CHARS])
    return ConsoleMessage(stamp / 1000, level, _bounded(text), tab, source, line, with_source)


def _bounded(text: str) -> str:
    kept = scrubbed(well_formed(text[:MAX_TEXT_CHARS]))
    return kept if len(text) <= MAX_TEXT_CHARS else f"{kept}… ({len(text):,} characters)"


def _shown(value: dict[str, Any]) -> str:
    """Format a value as a console does: strings as they are, objects with their fields."""
    if preview := value.get("preview"):
        return _preview(preview)
    if "value" in value:
        given = value["value"]
        return given if isinstance(given, str) else msgspec.json.encode(given).decode()
    return str(
        value.get("unserializableValue") or value.get("description") or value.get("type", "")
    )


def _preview(preview: dict[str, Any]) -> str:
    inside = preview.get("properties", ())
    kind = preview.get("subtype")
    if kind not in (None, "array") or not inside:
        return str(preview.get("description", ""))
    more = ["…"] if preview.get("overflow") else []
    if kind == "array":
        return f"[{', '.join([*(item.get('value', '…') for item in inside), *more])}]"
    pairs = [f"{item['name']}: {item.get('value', '…')}" for item in inside]
    return "{" + ", ".join([*pairs, *more]) + "}"
