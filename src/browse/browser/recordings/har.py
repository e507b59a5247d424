"""Recording what the network answers, and answering from such a recording instead."""

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
# Of our own, so that removing what is routed by it removes nothing else.
_REPLAYED = re.compile("^(?:https?)://")


class HarRecording(Recording):
    """All requests of all tabs and their answers, until it is ended."""

    kind = "HAR"
    start_with = "browse har record <file>"
    stop_with = "browse har stop"

    def __init__(
        self, folder: Path, context: BrowserContext, path: WritePath, *, with_secrets: bool
    ) -> None:
        super().__init__(folder)
        self.path = path
        self.with_secrets = with_secrets
        self.saved = har_file.Saved(0, 0)
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
            har_file.save, self._raw, self.file, with_secrets=self.with_secrets
        )


class Replay:
    """A HAR that answers in place of the network, and what was asked that it does not have."""

    def __init__(self, name: str, *, strict: bool) -> None:
        self.name = name
        self.strict = strict
        self.entries = 0
        self.left_out = 0
        self.missed = 0
        self.misses: dict[str, int] = {}

    async def missing(self, route: Route) -> None:
        """Note a request that the HAR has no answer for; refuse it, or let it pass."""
        self.missed += 1
        asked = f"{route.request.method} {redacted_url(route.request.url[:MAX_URL_CHARS])}"
        if asked in self.misses or len(self.misses) < MAX_MISSES_KEPT:
            self.misses[asked] = self.misses.get(asked, 0) + 1
        with suppress(DriverError):  # the page may be gone
            await (route.abort(REFUSED) if self.strict else route.fallback())


class Har:
    """At most one HAR of a browser: recorded, or replayed."""

    def __init__(self, context: BrowserContext, routes: Routes, scratch: Scratch) -> None:
        self.replaying: Replay | None = None
        self.recorder = Recorder(self._recording, HarRecording)
        self._context = context
        self._routes = routes
        self._scratch = scratch

    def _recording(self, path: WritePath, with_secrets: bool) -> HarRecording:
        return HarRecording(self._scratch.folder(), self._context, path, with_secrets=with_secrets)

    async def record(self, path: WritePath, *, with_secrets: bool) -> HarRecording:
        self._require_none()
        return await self.recorder.start(path, with_secrets)

    async def replay(self, file: ReadPath, *, strict: bool) -> Replay:
        """Answer from a HAR from now on; whatever is wrong with it is found before."""
        self._require_none()
        replay = Replay(file.typed, strict=strict)
        self.replaying = replay
        folder = self._scratch.folder()
        try:
            copy = folder / "replayed.har"
            replay.entries, replay.left_out = await asyncio.to_thread(
                har_file.replayable, Path(file.real), copy
            )
            with translated("replaying the HAR"):
                # Asked in the reverse order: our rules, the HAR, and what it does not have.
                await self._context.route(_REPLAYED, replay.missing)
                await self._context.route_from_har(copy, url=_REPLAYED, not_found="fallback")
            await self._routes.put_first()
        except BaseException:
            await self.stop_replay()
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return replay

    async def stop_replay(self) -> Replay | None:
        """Let the network answer again."""
        replay, self.replaying = self.replaying, None
        with translated("ending the replay"):
            await self._context.unroute(_REPLAYED)
        # The public way to free the driver's copy, unroute_all, would take our rules along.
        with suppress(AttributeError):
            self._context._impl_obj._dispose_har_routers()
        return replay

    def _require_none(self) -> None:
        if self.replaying:
            raise BrowseError(
                Code.RECORDING,
                "A HAR is being replayed.",
                hint="end it first: `browse har stop`",
            )
        if self.recorder.current:
            raise BrowseError(
                Code.RECORDING,
                "A HAR is being recorded.",
                hint="end and save it first: `browse har stop`",
            )
