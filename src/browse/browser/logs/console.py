"""What pages say on their consoles, and the errors that nobody caught, in every frame of a tab.

The protocol is asked directly: the driver's own event keeps a handle for every word that a page
logs, which is ten kilobytes a line until there are a hundred thousand of them.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.logs.event_listener import quick
from browse.browser.logs.ring_buffer import Ring
from browse.core.journal import Journal
from browse.core.tasks import spawn
from browse.core.text import well_formed
from browse.guard.secrets import redacted_url, scrubbed

MAX_TEXT_CHARS = 4_000
MAX_URL_CHARS = 2_000
# Objects that were logged live on until they are let go.
RELEASE_EVERY = 500
ERRORS = ("error", "warning", "assert")
_LEVELS = {"verbose": "debug"}
Send = Callable[[str, dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a console; `told` when where it comes from is part of what it says."""

    at: float
    level: str
    text: str
    tab: int
    source: str = ""
    line: int = 0
    told: bool = False

    @property
    def spelled(self) -> str:
        where = f"{self.source}:{self.line}" if self.line else self.source
        tail = f" ({where})" if self.told and where else ""
        return f"[{iso(self.at)}] [{self.level}] {self.text}{tail}"


def iso(seconds: float) -> str:
    """Spell a moment as `2026-01-31T10:00:00.000Z`."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Consoles:
    """The consoles of all tabs, in one ring."""

    def __init__(self, journal: Journal) -> None:
        self.ring: Ring[Message] = Ring(lambda said: sys.getsizeof(said.text) + len(said.source))
        self._journal = journal

    async def follow(self, page: Page, tab: int) -> None:
        """Listen to a page from now on; what it has said before is told as well."""
        heard: set[Frame] = set()

        def on_navigated(frame: Frame) -> None:
            # A frame of another site gets a target of its own as it navigates. It is not asked
            # for with `Target.setAutoAttach`: where the driver does that as well, Chromium now
            # and then gives up loading a frame within such a frame.
            if frame.parent_frame and frame not in heard:
                heard.add(frame)
                spawn(self._hear(frame, tab, heard), name=f"tab {tab}: console of a frame")

        page.on("framenavigated", quick(on_navigated))
        await self._hear(page, tab, heard)

    async def _hear(self, place: Page | Frame, tab: int, heard: set[Frame]) -> None:
        """Attach to a page or a frame; one without a target of its own is heard with its parent."""
        context = (place.page if isinstance(place, Frame) else place).context
        try:
            session = await context.new_cdp_session(place)
            session.on("close", lambda _: heard.discard(place))
            await _Target(self, tab, session.send).begin(session)
        except DriverError:  # it may also be closed already, and has nothing to say then
            heard.discard(place)

    def keep(self, message: Message) -> None:
        self.ring.add(message)
        self._journal.add(message.spelled)


class _Target:
    """A target of the protocol: a page, or a frame that runs in a process of its own."""

    def __init__(self, consoles: Consoles, tab: int, send: Send) -> None:
        self._consoles = consoles
        self._tab = tab
        self._send = send
        self._said = 0

    async def begin(self, session: CDPSession) -> None:
        def listener(event: str) -> Callable[[dict[str, Any]], None]:
            return quick(lambda told: self.hear(event, told))

        for event in EVENTS:
            session.on(event, listener(event))
        await asyncio.gather(self._send("Runtime.enable", {}), self._send("Log.enable", {}))

    def hear(self, event: str, told: dict[str, Any]) -> None:
        if event == "Runtime.consoleAPICalled":
            self._keep(_called(told, self._tab))
        elif event == "Runtime.exceptionThrown":
            self._keep(_thrown(told, self._tab))
        elif event == "Log.entryAdded":
            self._keep(_logged(told["entry"], self._tab))

    def _keep(self, message: Message) -> None:
        self._consoles.keep(message)
        self._said += 1
        if self._said % RELEASE_EVERY == 0:
            spawn(self._release(), name=f"tab {self._tab}: console")

    async def _release(self) -> None:
        with suppress(DriverError):  # it may be gone by now
            await self._send("Runtime.releaseObjectGroup", {"objectGroup": "console"})


EVENTS = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def _called(told: dict[str, Any], tab: int) -> Message:
    frames = told.get("stackTrace", {}).get("callFrames") or [{}]
    text = " ".join(_shown(value) for value in told["args"])
    return _message(told["timestamp"], told["type"], text, tab, frames[0])


def _thrown(told: dict[str, Any], tab: int) -> Message:
    details = told["exceptionDetails"]
    frames = details.get("stackTrace", {}).get("callFrames") or [details]
    error = _shown(details.get("exception", {})).partition("\n    at ")[0]
    text = f"{details['text']} {error}".strip()
    return _message(told["timestamp"], "error", text, tab, frames[0], told=True)


def _logged(entry: dict[str, Any], tab: int) -> Message:
    level = _LEVELS.get(entry["level"], entry["level"])
    return _message(entry["timestamp"], level, entry["text"], tab, entry, told=True)


def _message(
    stamp: float, level: str, text: str, tab: int, place: dict[str, Any], *, told: bool = False
) -> Message:
    line = place.get("lineNumber", -1) + 1
    source = redacted_url(place.get("url", "")[:MAX_URL_CHARS])
    return Message(stamp / 1000, level, _bounded(text), tab, source, line, told)


def _bounded(text: str) -> str:
    kept = scrubbed(well_formed(text[:MAX_TEXT_CHARS]))
    return kept if len(text) <= MAX_TEXT_CHARS else f"{kept}… ({len(text):,} characters)"


def _shown(value: dict[str, Any]) -> str:
    """Show a value as a console does: words as they are, objects by what is in them."""
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
