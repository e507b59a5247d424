"""A terminal with a real program and viewers that are fakes."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from browse.core.tasks import spawn
from browse.terminal import session as terminal_session
from browse.terminal.lease import TerminalLease
from browse.terminal.session import CloseCode, TerminalSession, TerminalStart
from support.cli import HANG_S

ENVIRON = {"PATH": os.defpath, "TERM": "xterm", "PS1": "$ "}


class FakeViewer:
    """A viewer; while `open` is clear, its connection is full."""

    def __init__(self) -> None:
        self.seen = bytearray()
        self.told: list[dict[str, Any]] = []
        self.closed: tuple[int, str] | None = None
        self.open = asyncio.Event()
        self.open.set()
        self._news = asyncio.Event()

    async def send(self, output: bytes) -> None:
        await self.open.wait()
        self.seen += output
        self._news.set()

    async def tell(self, **facts: object) -> None:
        self.told.append(facts)

    async def close(self, code: int, reason: str) -> None:
        self.closed = code, reason
        self._news.set()

    async def until(self, wanted: Callable[[], object]) -> None:
        async with asyncio.timeout(HANG_S):
            while not wanted():
                self._news.clear()
                await self._news.wait()

    async def until_seen(self, words: bytes) -> bytes:
        await self.until(lambda: words in self.seen)
        return bytes(self.seen)


class Kept:
    """Terminals of a test, all ended after it."""

    def __init__(self) -> None:
        self.sessions: list[TerminalSession] = []

    def new(self, limit: int = 1024 * 1024) -> TerminalSession:
        lease = TerminalLease(life_s=600, detached_s=600)
        self.sessions.append(TerminalSession("name", lease, limit))
        return self.sessions[-1]


@pytest.fixture
async def kept() -> AsyncIterator[Kept]:
    it = Kept()
    yield it
    for session in it.sessions:
        await session.end(CloseCode.ENDED, "the test is over")


def watching(session: TerminalSession) -> tuple[FakeViewer, terminal_session.Attachment]:
    viewer = FakeViewer()
    attached = session.attach(viewer)
    spawn(session.show(attached), name="show")
    return viewer, attached


def start(*argv: str, notice: str = "") -> TerminalStart:
    return TerminalStart(argv, ENVIRON, Path("/"), notice)


async def test_a_program_is_watched_and_typed_to(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    session.resize(90, 20)
    await session.start(start("/bin/sh", notice="one\ntwo"))
    session.type(b"stty size; echo it-$((1+1))\n")

    seen = await viewer.until_seen(b"it-2")
    assert seen.startswith(b"one\r\ntwo\r\n")
    assert b"20 90\r\n" in seen


async def test_its_end_is_told_after_all_that_it_printed(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(start("/bin/sh", "-c", "seq 50000; exit 3"))
    await viewer.until(lambda: viewer.closed)

    assert viewer.seen.endswith(b"50000\r\n")
    assert viewer.told[-1] == {"type": "exit", "code": 3, "reason": "the program has ended"}
    assert viewer.closed == (CloseCode.EXITED, "the program has ended")
    assert session.told.is_set()


async def test_what_was_printed_while_nobody_watched_is_shown(kept: Kept):
    session = kept.new()
    viewer, attached = watching(session)
    await session.start(start("/bin/sh"))
    session.type(b"echo be''fore\n")
    await viewer.until_seen(b"before")
    session.detach(attached)
    session.type(b"seq 1000; echo mean''while; exit 9\n")
    async with asyncio.timeout(HANG_S):
        await asyncio.shield(session.ended)

    later, _ = watching(session)
    seen = await later.until_seen(b"meanwhile")
    await later.until(lambda: later.closed)
    assert later.told[0] == {"type": "reattach-begin", "sessionId": "name"}
    assert b"before" in seen
    assert b"\n500\r\n" in seen
    assert later.told[-1]["code"] == 9


async def test_a_second_viewer_takes_over_and_the_first_is_told(kept: Kept):
    session = kept.new()
    first, _ = watching(session)
    await session.start(start("/bin/sh"))
    second, _ = watching(session)
    await first.until(lambda: first.closed)
    session.type(b"echo for-$((1+1))\n")

    await second.until_seen(b"for-2")
    assert first.closed == (CloseCode.TAKEN_OVER, "the terminal was opened elsewhere")
    assert b"for-2" not in first.seen


async def test_a_viewer_that_was_taken_over_from_does_not_detach_the_next(kept: Kept):
    session = kept.new()
    _, attached = watching(session)
    watching(session)
    session.detach(attached)

    assert session.is_attached


FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 99 + '\\n')"


async def held_back(session: TerminalSession) -> None:
    """Wait until the program waits for somebody to read."""
    program = psutil.Process().children(recursive=True)[-1]

    def waits() -> bool:
        is_full = session._scrollback.end >= terminal_session.WINDOW_BYTES
        return is_full and program.status() == psutil.STATUS_SLEEPING

    async with asyncio.timeout(HANG_S):
        while not waits():  # noqa: ASYNC110 - the only way to see that nothing happens
            await asyncio.sleep(0.01)


async def test_a_full_connection_holds_the_program_back(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    viewer.open.clear()
    await session.start(start(sys.executable, "-c", FLOOD))
    await held_back(session)

    # The window, and what one more read brought; pipes hold the rest.
    assert session._scrollback.end < terminal_session.WINDOW_BYTES + 256 * 1024
    session.type(b"\x03")  # what is typed arrives all the same
    viewer.open.set()
    await viewer.until(lambda: viewer.closed)
    assert b"KeyboardInterrupt" in viewer.seen


async def test_a_viewer_that_says_what_it_has_shown_is_not_sent_more(kept: Kept):
    session = kept.new()
    viewer, attached = watching(session)
    session.acknowledge(attached, 0)
    await session.start(start(sys.executable, "-c", FLOOD))
    await held_back(session)

    sent = len(viewer.seen)
    assert sent < terminal_session.WINDOW_BYTES + 256 * 1024
    session.acknowledge(attached, sent)
    await viewer.until(lambda: len(viewer.seen) > sent)


async def test_a_paste_to_a_program_that_does_not_read_has_an_end(kept: Kept):
    session = kept.new()
    await session.start(start("/bin/sleep", "1000"))
    piece = b"x" * 1024 * 1024

    pasted = [session.type(piece) for _ in range(12)]
    assert pasted[0]
    assert not pasted[-1]


async def test_a_program_that_prints_what_is_pasted_does_not_wait_for_ever(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(
        start("/bin/sh", "-c", "stty raw -echo; echo up; exec head -c 3000000 | tr a b")
    )
    await viewer.until_seen(b"up")
    assert all(session.type(b"a" * 100_000) for _ in range(30))

    await viewer.until(lambda: viewer.closed)
    assert viewer.seen.count(b"b") == 3_000_000


async def test_a_closed_terminal_ends_at_once_with_its_reason(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(start("/bin/sh", "-c", "trap '' HUP; sleep 1000 & wait"))
    await session.end(CloseCode.ENDED, "the terminal was closed")
    await viewer.until(lambda: viewer.closed)

    assert viewer.closed == (CloseCode.ENDED, "the terminal was closed")
    assert not psutil.Process().children(recursive=True)
    assert not session.lease.left_s


async def test_what_left_the_terminal_is_ended_too(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(start("/bin/sh", "-c", "setsid sleep 1000 & echo up; wait"))
    await viewer.until_seen(b"up")
    everybody = psutil.Process().children(recursive=True)
    await session.end(CloseCode.ENDED, "")

    assert len(everybody) >= 4
    assert not psutil.wait_procs(everybody, timeout=HANG_S)[1]


async def test_a_killed_pty_process_is_seen_as_the_end(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(start("/bin/sh", "-c", "trap '' HUP; echo up; sleep 1000"))
    await viewer.until_seen(b"up")
    everybody = psutil.Process().children(recursive=True)
    everybody[1].kill()  # the supervisor is first
    await viewer.until(lambda: viewer.closed)

    assert viewer.told[-1]["code"] == -9
    assert not psutil.wait_procs(everybody, timeout=HANG_S)[1]


async def test_what_cannot_be_started_is_told(kept: Kept):
    session = kept.new()
    viewer, _ = watching(session)
    await session.start(TerminalStart(("/bin/sh",), ENVIRON, Path("/no/such/folder")))
    await viewer.until(lambda: viewer.closed)

    assert viewer.closed == (CloseCode.CANNOT_START, "the program could not be started")


async def test_a_full_screen_program_is_told_to_draw_anew_for_a_new_viewer(kept: Kept):
    session = kept.new(limit=2000)
    viewer, attached = watching(session)
    drawing = "printf '\\033[?1049h'; trap 'echo drawn-$((1+1))' WINCH; seq 1000"
    script = f"{drawing}; while :; do sleep 0.05; done"
    await session.start(start("/bin/sh", "-c", script))
    await viewer.until_seen(b"\n1000\r\n")
    session.detach(attached)

    later, _ = watching(session)
    seen = await later.until_seen(b"drawn-2")
    assert seen.startswith(b"\x1b[!p\x1b[?1049h")
