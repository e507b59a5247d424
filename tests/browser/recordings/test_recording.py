"""Recordings: one at a time, ended once, saved whole, and not lost when saving fails."""

import asyncio
import stat
from pathlib import Path

import pytest

from browse.browser.recordings.recording import Recorder, Recording
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots, WritePath, check_write


class Talk(Recording):
    """A recording of nothing."""

    kind = "talk"
    start_with = "browse talk start"
    stop_with = "browse talk stop talk.txt"

    def __init__(self, folder: Path, broken: str = "") -> None:
        super().__init__(folder)
        self.broken = broken
        self.ends = 0
        self.may_finish = asyncio.Event()
        if broken != "slow":
            self.may_finish.set()

    @property
    def file(self) -> Path:
        return self.folder / "talk"

    async def _begin(self) -> None:
        await asyncio.sleep(0)
        if self.broken == "begin":
            raise BrowseError(Code.TAB_CLOSED, "gone", hint="x")

    async def _finish(self) -> None:
        await self.may_finish.wait()
        self.ends += 1
        if self.broken == "finish":
            raise BrowseError(Code.TAB_CLOSED, "gone", hint="x")
        self.file.write_bytes(b"words")


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "private"
    made.mkdir()
    return made


@pytest.fixture
def recorder(folder) -> Recorder[Talk]:
    return Recorder(lambda *about: Talk(folder, *about), Talk)


@pytest.fixture
def place(tmp_path) -> WritePath:
    return check_write("saved.txt", cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))


@pytest.fixture
def saved(place) -> Path:
    return Path(place.real)


async def test_what_is_saved_is_private_and_nothing_else_is_left(recorder, place, saved, folder):
    await recorder.start()

    recording, size = await recorder.save(lambda _: place)

    assert (recording.ends, size) == (1, 5)
    assert saved.read_bytes() == b"words"
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert not folder.exists()
    assert recorder.current is None


async def test_there_is_one_at_a_time(recorder):
    await recorder.start()

    with pytest.raises(BrowseError) as caught:
        await recorder.start()

    assert caught.value.code is Code.RECORDING
    assert caught.value.hint == "save it first: `browse talk stop talk.txt`"


async def test_what_was_not_started_cannot_be_saved(recorder, place):
    with pytest.raises(BrowseError) as caught:
        await recorder.save(lambda _: place)

    assert caught.value.message == "No talk is being recorded."
    assert caught.value.hint == "start one with `browse talk start`"


async def test_one_that_ended_by_itself_waits_to_be_saved(recorder, place):
    recording = await recorder.start()
    await recording.end("a storm")
    length = recording.seconds

    await recording.end("another storm")
    kept, _ = await recorder.save(lambda _: place)

    assert (kept.ended_by, kept.ends, kept.seconds) == ("a storm", 1, length)


async def test_a_save_that_fails_can_be_tried_again(recorder, place, saved, tmp_path):
    wrong = check_write("gone/x", cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))
    (tmp_path / "gone").write_bytes(b"a file where a folder should be")
    await recorder.start()

    with pytest.raises(BrowseError):
        await recorder.save(lambda _: wrong)
    await recorder.save(lambda _: place)

    assert saved.read_bytes() == b"words"


async def test_a_caller_that_is_cut_off_leaves_a_recording_that_can_be_saved(
    recorder, place, saved
):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await recorder.start()

    await recorder.save(lambda _: place)

    assert saved.read_bytes() == b"words"


async def test_one_that_does_not_begin_leaves_nothing(recorder, folder):
    with pytest.raises(BrowseError, match="gone"):
        await recorder.start("begin")

    assert recorder.current is None
    assert not folder.exists()


async def test_one_that_cannot_be_finished_makes_room_for_the_next(recorder, place, saved, folder):
    await recorder.start("finish")

    with pytest.raises(BrowseError, match="gone"):
        await recorder.save(lambda _: place)

    assert recorder.current is None
    assert not folder.exists()
    assert not saved.exists()


async def test_what_is_given_up_writes_nothing_when_its_subject_goes(recorder, folder):
    recording = await recorder.start()

    await recorder.abandon()
    await recording.end("the end of its tab")

    assert (recording.ends, recorder.current) == (0, None)
    assert not folder.exists()


async def test_an_end_under_way_is_waited_for_before_the_folder_goes(recorder, folder):
    recording = await recorder.start("slow")
    ending = recording.end("the end of its tab")

    abandoning = asyncio.gather(recorder.abandon())
    await asyncio.sleep(0)
    assert folder.exists()
    recording.may_finish.set()
    await abandoning

    assert ending.done()
    assert not ending.exception()
    assert not folder.exists()


async def test_nothing_to_give_up_is_fine(recorder):
    await recorder.abandon()

    assert recorder.current is None
