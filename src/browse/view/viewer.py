"""One viewer of the live view: what it is sent, and how much of it may be under way."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any, Protocol

from browse.browser.visual.screencast import ScreenFrame
from browse.core.controls import encode_json

if TYPE_CHECKING:
    from browse.view.person_input import PersonInput

# Frames that were sent and not drawn yet. With one, a distant viewer would get few.
MAX_UNDER_WAY = 2
MAX_NOTICES = 50
_NUMBER_BYTES = 4


class Wire(Protocol):
    """A connection to a viewer. Sending to one that is gone does nothing."""

    async def send_text(self, text: str) -> None: ...

    async def send_bytes(self, data: bytes) -> None: ...

    def messages(self) -> AsyncIterator[str]: ...


class LiveViewer:
    """A person's browser that shows a tab. Whatever is slow there costs only frames."""

    def __init__(self, wire: Wire, on_drawn: Callable[[int], None] = lambda _: None) -> None:
        self.wire = wire
        self.on_drawn = on_drawn
        self.input: PersonInput | None = None
        self.shown = 0  # the number of the tab
        self.hidden = False
        self.heard_at = 0.0
        self._state: dict[str, Any] | None = None
        self._last_state: dict[str, Any] | None = None
        self._notices: deque[dict[str, Any]] = deque(maxlen=MAX_NOTICES)
        self._frame: ScreenFrame | None = None
        self._under_way: list[int] = []
        self._news = asyncio.Event()

    def tell_state(self, state: dict[str, Any]) -> None:
        """Send how things are, if that is new; of several, the viewer gets the last."""
        if state != self._last_state:
            self._state = self._last_state = state
            self._news.set()

    def tell(self, type: str, **facts: Any) -> None:
        """Send a notice, after those before it."""
        self._notices.append({"type": type, **facts})
        self._news.set()

    def offer(self, frame: ScreenFrame | None) -> None:
        """Send a frame when the viewer can take one; a newer one replaces it."""
        if frame and not self.hidden:
            self._frame = frame
            self._news.set()

    def forget_frames(self) -> None:
        """Begin anew: the frames that follow are of another tab or page."""
        self._frame, self._under_way = None, []

    def drawn(self, number: int) -> None:
        """Note that a frame was drawn, and those before it will not be."""
        if number in self._under_way:
            self._under_way = [it for it in self._under_way if it > number]
            self.on_drawn(number)
            self._news.set()

    async def write(self) -> None:
        """Send what there is, until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            if state := self._state:
                self._state = None
                await self._text({"type": "state", **state})
            while self._notices:
                await self._text(self._notices.popleft())
            await self._picture()

    async def _text(self, facts: dict[str, Any]) -> None:
        await self.wire.send_text(encode_json(facts).decode())

    async def _picture(self) -> None:
        frame = self._frame
        if frame is None or len(self._under_way) >= MAX_UNDER_WAY:
            return
        self._frame = None
        self._under_way.append(frame.number)
        await self.wire.send_bytes(frame.number.to_bytes(_NUMBER_BYTES) + frame.jpeg)
