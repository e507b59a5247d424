"""Record the network traffic as HAR, and replay a HAR instead of the network."""

import asyncio
import re
import shutil
from contextlib import suppress
from pathlib import Path

from playwright.async_api import BrowserContext, Route
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.network.routes import REFUSED, Routes
from browse.browser.recordings import har_file
from browse.browser.recordings.recording import Recorder, Recording
from browse.browser.scratch import Scratch
from browse.core.errors import BrowseError, Code
from browse.guard.files import ReadPath, WritePath
from browse.guard.secrets import redacted_url

MAX_MISSES_KEPT = 200
MAX_URL_CHARS = 2000
# A pattern of our own, so that unrouting it removes nothing else.
_REPLAYED = re.compile("^(?:https?)://")


class HarRecording(Recording):
    """All requests of all tabs, with their responses, until it is stopped."""

    kind = "HAR"
    start_with = "browse har record <file>"
    stop_with = "browse har stop"

    def __init__(
        self, folder: Path, context: BrowserContext, path: WritePath, *, with_secrets: bool
    ) -> None:
        super().__init__(folder)
        self.path = path
        self.with_secrets = with_secrets
        self.saved = har_file.HarSummary(0, 0)
        self._tracing = context.tracing

    @property
    def file(self) -> Path:
        return self.folder / "finished"

    @property
    def _raw(self) -> Path:
        return self.folder / "recorded.har"

    async def _begin(self) -> None:
        with translated("starting the recording"):
            await self._tracing.start_har(self._raw, content="attach", mode="full")

    async def _finish(self) -> None:
        with translated("ending the recording"):
            await self._tracing.stop_har()
        self.saved = await asyncio.to_thread(
            har_file.write_har, self._raw, self.file, with_secrets=self.with_secrets
        )


class HarReplay:
    """A HAR that answers instead of the network, and the requests that it does not contain."""

    def __init__(self, name: str, *, strict: bool) -> None:
        self.name = name
        self.strict = strict
        self.entries = 0
        self.left_out = 0
        self.missed = 0
        self.misses: dict[str, int] = {}

    async def on_missing(self, route: Route) -> None:
        """Count a request that the HAR does not contain; abort it, or let it through."""
        self.missed += 1
        request = f"{route.request.method} {redacted_url(route.request.url[:MAX_URL_CHARS])}"
        if request in self.misses or len(self.misses) < MAX_MISSES_KEPT:
            self.misses[request] = self.misses.get(request, 0) + 1
        with suppress(DriverError):  # the page may be gone
            await (route.abort(REFUSED) if self.strict else route.fallback())


class Har:
    """The HAR that a browser records or replays; at most one at a time."""

    def __init__(self, context: BrowserContext, routes: Routes, scratch: Scratch) -> None:
        self.replaying: HarReplay | None = None
        self.recorder = Recorder(self._recording, HarRecording)
        self._context = context
        self._routes = routes
        self._scratch = scratch

    def _recording(self, path: WritePath, with_secrets: bool) -> HarRecording:
        return HarRecording(self._scratch.folder(), self._context, path, with_secrets=with_secrets)

    async def record(self, path: WritePath, *, with_secrets: bool) -> HarRecording:
        self.require_none()
        return await self.recorder.start(path, with_secrets)

    async def replay(self, file: ReadPath, *, strict: bool) -> HarReplay:
        """Answer from a HAR from now on; raise first if the file is invalid."""
        self.require_none()
        replay = HarReplay(file.typed, strict=strict)
        self.replaying = replay
        folder = self._scratch.folder()
        try:
            copy = folder / "replayed.har"
            replay.entries, replay.left_out = await asyncio.to_thread(_copied, file, copy)
            with translated("replaying the HAR"):
                # Routes are request in reverse order: our rules, the HAR, the handler for misses.
                await self._context.route(_REPLAYED, replay.on_missing)
                await self._context.route_from_har(copy, url=_REPLAYED, not_found="fallback")
            await self._routes.put_first()
        except BaseException:
            await self.stop_replay()
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return replay

    async def stop_replay(self) -> HarReplay | None:
        """Let the network answer again."""
        replay, self.replaying = self.replaying, None
        with translated("ending the replay"):
            await self._context.unroute(_REPLAYED)
        # The public way to free the driver's copy, unroute_all, would remove our rules too.
        with suppress(AttributeError):
            self._context._impl_obj._dispose_har_routers()
        return replay

    def move(self, context: BrowserContext) -> None:
        """Record in another browser context from now on."""
        self._context = context

    def require_none(self) -> None:
        if self.replaying:
            raise BrowseError(
                Code.RECORDING,
                "A HAR is being replayed.",
                hint="stop it first: `browse har stop`",
            )
        if self.recorder.current:
            raise BrowseError(
                Code.RECORDING,
                "A HAR is being recorded.",
                hint="stop and save it first: `browse har stop`",
            )


def _copied(file: ReadPath, copy: Path) -> tuple[int, int]:
    with file.open() as source:
        return har_file.copy_replayable(source, copy)
