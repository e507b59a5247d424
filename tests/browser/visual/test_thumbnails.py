"""When a small picture of a tab is taken, and when the last one is kept."""

import asyncio
from typing import Any

from browse.browser.visual import thumbnails
from browse.browser.visual.thumbnails import Thumbnails
from browse.core.errors import BrowseError, Code
from support.fakes import FakeTab


class Camera:
    """Takes pictures that are numbered, at a time that tests set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.taken = 0
        self.fails = False
        self.go = asyncio.Event()
        self.go.set()
        self.pictures = Thumbnails(self.take, lambda: self.now)

    async def take(self, tab: Any) -> bytes:
        await self.go.wait()
        if self.fails:
            raise BrowseError(Code.TAB_CRASHED, "gone", hint="")
        self.taken += 1
        return b"picture %d of %d" % (self.taken, tab.id)

    async def of(self, tab: Any) -> bytes | None:
        taken = await self.pictures.of(tab)
        return taken.data if taken else None


async def test_a_picture_is_taken_at_most_once_a_second():
    camera, tab = Camera(), FakeTab(1)

    first, at_once = await camera.of(tab), await camera.of(tab)
    camera.now = thumbnails.EACH_S

    assert (first, at_once) == (b"picture 1 of 1", b"picture 1 of 1")
    assert await camera.of(tab) == b"picture 2 of 1"


async def test_a_tab_that_a_command_uses_keeps_its_old_picture():
    camera, tab, other = Camera(), FakeTab(1), FakeTab(2)
    await camera.of(tab)
    camera.now = 100.0

    async with tab.lock.hold("click"), other.lock.hold("click"):
        assert await camera.of(tab) == b"picture 1 of 1"
        assert await camera.of(other) is None
    assert camera.taken == 1


async def test_one_picture_is_taken_at_a_time():
    camera = Camera()
    camera.go.clear()
    first = asyncio.gather(camera.of(FakeTab(1)))
    await asyncio.sleep(0)

    assert await camera.of(FakeTab(2)) is None
    camera.go.set()
    assert await first == [b"picture 1 of 1"]


async def test_a_page_that_does_not_paint_keeps_its_old_picture():
    camera, tab = Camera(), FakeTab(1)
    await camera.of(tab)
    camera.now, camera.fails = 100.0, True

    assert await camera.of(tab) == b"picture 1 of 1"
    tab.crashed, camera.fails = True, False
    assert await camera.of(tab) == b"picture 1 of 1"


async def test_only_so_many_pictures_are_kept(monkeypatch):
    monkeypatch.setattr(thumbnails, "MAX_KEPT", 2)
    camera = Camera()
    for id in (1, 2, 3):
        await camera.of(FakeTab(id))

    assert list(camera.pictures._kept) == [2, 3]
