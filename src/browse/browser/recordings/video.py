"""Record a video of one tab from the frames that Chromium sends when something changes.

Pillow encodes every frame as a whole image: Playwright's own way needs an ffmpeg, which a system
Chromium does not include. A page that changes all the time makes a large file.
"""

import asyncio
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import Error as DriverError
from playwright.async_api import Page

from browse.browser.driver_errors import translated
from browse.browser.recordings import webm
from browse.browser.recordings.recording import Recording
from browse.core.clock import wall_ms
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn

FRAMES_PER_S = 10
MAX_BYTES = 500_000_000
SIZE_LIMIT = f"the limit of {MAX_BYTES // 1_000_000} MB"
DEFAULT_SIZE = webm.FrameSize(800, 800)
FIRST_FRAME_S = 3.0
JPEG_QUALITY = 90
WEBP_QUALITY = 75
WEBP_METHOD = 2


class VideoFrames:
    """Encoded frames, in a temporary file until their number is known."""

    def __init__(self, path: Path, size: webm.FrameSize | None) -> None:
        self.size = size
        self.frames: list[webm.VideoFrame] = []
        self.bytes = 0
        self._path = path
        self._first_ms = 0.0
        self._last = b""

    def add(self, jpeg: bytes, at_ms: float) -> None:
        """Add a frame, unless it is older than the last one or the same."""
        if not self.frames:
            self._first_ms = at_ms
        at = round(at_ms - self._first_ms)
        if jpeg == self._last or (self.frames and at <= self.frames[-1].at_ms):
            return
        self._last = jpeg
        data = self._encoded(jpeg)
        with self._path.open("ab") as file:
            file.write(data)
        self.frames.append(webm.VideoFrame(at, len(data)))
        self.bytes += len(data)

    def _encoded(self, jpeg: bytes) -> bytes:
        from PIL import Image, ImageOps  # heavy, and only needed for a video

        image = Image.open(io.BytesIO(jpeg)).convert("RGB")
        self.size = self.size or webm.FrameSize(*image.size)
        if image.size != self.size:
            image = ImageOps.pad(image, self.size, color="black")
        out = io.BytesIO()
        image.save(out, "WEBP", quality=WEBP_QUALITY, method=WEBP_METHOD)
        return webm.vp8_frame(out.getvalue())

    def write(self, path: Path, ended_ms: float) -> None:
        """Write the video; the last frame stays until the end of the recording."""
        if not self.frames or self.size is None:
            raise BrowseError(
                Code.RECORDING,
                "The tab painted nothing while it was recorded, so there is no video.",
                hint="start again with `browse video start`",
            )
        shortest = self.frames[-1].at_ms + 1000 // FRAMES_PER_S
        length = max(round(ended_ms - self._first_ms), shortest)
        with path.open("wb") as out, self._path.open("rb") as frames_file:
            webm.write_webm(out, frames_file, self.frames, size=self.size, length_ms=length)


class Video(Recording):
    """What one tab showed, across navigations."""

    kind = "video"
    start_with = "browse video start"
    stop_with = "browse video stop video.webm"

    def __init__(self, folder: Path, page: Page, tab_id: int, size: webm.FrameSize | None) -> None:
        super().__init__(folder)
        self.tab_id = tab_id
        self.captured = VideoFrames(folder / "frames", size)
        self._page = page
        self._newest: tuple[bytes, float] | None = None
        self._came = asyncio.Event()
        self._over = False
        self._encoder: asyncio.Task[None] | None = None

    @property
    def file(self) -> Path:
        return self.folder / "video.webm"

    async def _begin(self) -> None:
        size = self.captured.size or DEFAULT_SIZE
        with translated("starting the video"):
            await self._page.screencast.start(
                on_frame=self._on_frame,
                size={"width": size.width, "height": size.height},
                quality=JPEG_QUALITY,
            )
        self._page.once("close", lambda _: self.end("the end of its tab"))
        self._page.once("crash", lambda _: self.end("a crash of its page"))
        with suppress(TimeoutError):  # a busy page paints later
            await asyncio.wait_for(self._came.wait(), FIRST_FRAME_S)
        self._encoder = spawn(self._encode(), name=f"tab {self.tab_id}: video")

    def _on_frame(self, frame: Any) -> None:
        if self._over:
            return
        self._newest = frame["data"], frame["timestamp"]
        self._came.set()

    async def _encode(self) -> None:
        """Add the newest frame several times a second; the last one before a pause counts."""
        while not self._over:
            await self._came.wait()
            try:
                await self._add_newest()
            except OSError as exc:
                self.end(f"the disk ({exc.strerror})")
                return
            if self.captured.bytes > MAX_BYTES:
                self.end(SIZE_LIMIT)
            await asyncio.sleep(1 / FRAMES_PER_S)

    async def _add_newest(self) -> None:
        self._came.clear()
        newest, self._newest = self._newest, None
        if newest:
            await asyncio.to_thread(self.captured.add, *newest)

    def _stop_tasks(self) -> list[asyncio.Task[None] | None]:
        self._over = True
        self._newest = None
        self._came.set()
        return [self._encoder]

    async def _finish(self) -> None:
        ended_ms = wall_ms()
        with suppress(DriverError):  # a closed page has stopped already
            await self._page.screencast.stop()
        self._over = True
        self._came.set()
        if self._encoder:
            await self._encoder
        await self._add_newest()
        await asyncio.to_thread(self.captured.write, self.file, ended_ms)
