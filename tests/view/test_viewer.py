"""What a viewer is sent."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from browse.browser.visual.screencast import ScreenFrame
from browse.core.tasks import spawn
from browse.view.viewer import MAX_UNDER_WAY, LiveViewer


class FakeWire:
    """A connection that keeps what is sent."""

    def __init__(self) -> None:
        self.texts: list[dict] = []
        self.frames: list[int] = []

    async def send_text(self, text: str) -> None:
        self.texts.append(json.loads(text))

    async def send_bytes(self, data: bytes) -> None:
        self.frames.append(int.from_bytes(data[:4]))

    async def messages(self) -> AsyncIterator[str]:
        yield ""


def frame(number: int) -> ScreenFrame:
    return ScreenFrame(number, b"jpeg", 1280, 720)


@pytest.fixture
async def viewer():
    made = LiveViewer(FakeWire())
    writing = spawn(made.write(), name="a test's viewer")
    yield made
    writing.cancel()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_slow_viewer_gets_the_newest_frame_and_not_more_memory(viewer):
    drawn: list[int] = []
    viewer.on_drawn = drawn.append
    for number in range(1, 101):
        viewer.offer(frame(number))
        await settled()
    under_way = list(viewer.wire.frames)
    viewer.drawn(1)
    await settled()

    assert under_way == list(range(1, MAX_UNDER_WAY + 1))
    assert viewer.wire.frames[-1] == 100
    assert drawn == [1]


async def test_a_frame_that_was_not_sent_cannot_be_drawn(viewer):
    drawn: list[int] = []
    viewer.on_drawn = drawn.append
    viewer.drawn(7)

    assert drawn == []


async def test_of_several_states_the_last_is_sent_and_none_twice(viewer):
    for number in (1, 2, 3, 3):
        viewer.tell_state({"shown": number})
    await settled()
    viewer.tell_state({"shown": 3})
    await settled()

    assert viewer.wire.texts == [{"type": "state", "shown": 3}]


async def test_a_hidden_window_gets_no_frames(viewer):
    viewer.hidden = True
    viewer.offer(frame(1))
    await settled()

    assert viewer.wire.frames == []
