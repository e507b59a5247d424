"""One terminal: a PTY process, what it printed lately, and at most one viewer.

The program runs whether somebody watches or not. While a viewer is behind by more than a window,
nothing is read from the program, so it waits and no memory grows; what is typed still reaches it.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from browse.core.children import CHUNK_BYTES, FAILED, Child, Launch
from browse.core.tasks import spawn
from browse.terminal.lease import TerminalLease
from browse.terminal.pty_frames import INPUT, REDRAW, frame, size_frame, within
from browse.terminal.scrollback import Scrollback

# How much may be under way to a viewer. With what pipes hold, it is what Ctrl-C cannot take back.
WINDOW_BYTES = 256 * 1024
# What a program that does not read may be sent before its viewer is let go.
MAX_TYPED_BYTES = 8 * 1024 * 1024
# Longer than the PTY process gives its program.
GRACE_S = 3.0
_ROOT = str(Path(__file__).parents[2])
_RUN = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from browse.terminal.pty_process import main; main(sys.argv[2:])"
)


class CloseCode:
    """How the daemon closes the socket of a viewer."""

    EXITED = 1000
    ENDED = 4001  # on purpose: restarted or disposed of
    TAKEN_OVER = 4002
    EXPIRED = 4003
    NOT_GRANTED = 4004
    CANNOT_START = 4404


class Viewer(Protocol):
    """The other end of a terminal."""

    async def send(self, output: bytes) -> None:
        """Send output; waits while the connection is full."""

    async def tell(self, **facts: object) -> None:
        """Send facts."""

    async def close(self, code: int, reason: str) -> None:
        """Close the connection."""


class TerminalStart(msgspec.Struct, frozen=True):
    """What a terminal runs: words, variables, folder, and a line to show first."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    folder: Path
    notice: str = ""


class Attachment(msgspec.Struct, eq=False):
    """A viewer: how far it was sent the output, how much that was, and how much it has shown.

    `shown` is None until it says so: a viewer need not.
    """

    viewer: Viewer
    place: int
    sent: int = 0
    shown: int | None = None
    is_gone: bool = False

    async def send(self, output: bytes) -> None:
        self.sent += len(output)
        await self.viewer.send(output)

    @property
    def waiting(self) -> int:
        """The number of bytes that it has and has not shown."""
        return 0 if self.shown is None else self.sent - self.shown


class TerminalSession:
    """A terminal, from the first viewer to its end."""

    def __init__(self, name: str, lease: TerminalLease, scrollback_bytes: int) -> None:
        self.name = name
        self.lease = lease
        self.size = (80, 24)
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        # A viewer has seen all of it, so nobody needs it any more.
        self.told = asyncio.Event()
        self._scrollback = Scrollback(scrollback_bytes)
        self._child: Child | None = None
        self._starting = asyncio.Lock()
        self._attached: Attachment | None = None
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._closing = (CloseCode.EXITED, "the program has ended")
        self._is_cut = False
        self._had_viewer = False

    @property
    def is_attached(self) -> bool:
        return self._attached is not None

    @property
    def is_started(self) -> bool:
        return self._child is not None

    async def start(self, what: TerminalStart) -> None:
        """Start the program, once; what stops it from starting is shown in the terminal."""
        async with self._starting:
            if self._child or self.ended.done():
                return
            columns, rows = self.size
            words = [sys.executable, "-I", "-S", "-c", _RUN, _ROOT, str(columns), str(rows)]
            launch = Launch(
                [*words, *what.argv],
                folder=what.folder,
                environ=what.environ,
                stdin=True,
                grace_s=GRACE_S,
                options=("--reap", "yes"),
            )
            if what.notice:
                self._print(what.notice.replace("\n", "\r\n").encode() + b"\r\n")
            try:
                self._child = await Child.start(launch)
            except OSError as exc:
                self._closing = (CloseCode.CANNOT_START, "the program could not be started")
                self._finish(f"{FAILED}{exc.strerror}")
                return
            spawn(self._read(self._child), name="read a terminal")

    def type(self, data: bytes) -> bool:
        """Pass on what was typed; False if a program that does not read has too much already.

        It never waits: a viewer that pastes has to go on saying what it has shown, or a program
        that prints what it reads would wait for the viewer, and the viewer for the program.
        """
        return self._send(frame(INPUT, data))

    def resize(self, columns: int, rows: int) -> None:
        self.size = (within(columns), within(rows))
        self._send(size_frame(columns, rows))

    async def end(self, code: int, reason: str) -> None:
        """End the program with all that it started, and tell the viewer why."""
        self.lease.end()
        if not self.ended.done():
            self._closing, self._is_cut = (code, reason), True
        async with self._starting:
            if self._child:
                await self._child.end()
            self._finish(await self._child.ended if self._child else "")

    def attach(self, viewer: Viewer) -> Attachment:
        """Make somebody the viewer; whoever was there before is told and let go."""
        if before := self._attached:
            self._let_go(before)
            spawn(
                before.viewer.close(CloseCode.TAKEN_OVER, "the terminal was opened elsewhere"),
                name="close a terminal's viewer",
            )
        self._attached = Attachment(viewer, self._scrollback.start)
        self.lease.attach()
        return self._attached

    def detach(self, attached: Attachment) -> None:
        """Go on without this viewer."""
        if self._attached is attached:
            self._let_go(attached)
            self.lease.detach()

    def acknowledge(self, attached: Attachment, count: int) -> None:
        """Take note that a viewer has shown so many bytes; from now on it is waited for."""
        attached.shown = min(attached.sent, (attached.shown or 0) + max(0, count))
        self._room.set()

    async def show(self, attached: Attachment) -> None:
        """Send a viewer everything, from the start, until it is gone or the terminal ends."""
        await self._replay(attached)
        while not attached.is_gone:
            if not self._is_cut and (piece := self._scrollback.since(attached.place, CHUNK_BYTES)):
                attached.place += len(piece)
                await attached.send(piece)
                self._room.set()
            elif self.ended.done():
                await self._say_goodbye(attached)
                return
            else:
                self._news.clear()
                await self._news.wait()

    async def _replay(self, attached: Attachment) -> None:
        """Bring whoever is not the first viewer to where the program is."""
        if not self._had_viewer:
            self._had_viewer = True
            return
        screen, attached.place = self._scrollback.replay(), self._scrollback.end
        full_screen = self._scrollback.is_alternate()
        await attached.viewer.tell(type="reattach-begin", sessionId=self.name)
        await attached.send(screen)
        if full_screen:  # what is kept may be only half of a screen: the program draws it anew
            self._send(frame(REDRAW))

    async def _say_goodbye(self, attached: Attachment) -> None:
        code, reason = self._closing
        how = self.ended.result()
        exit_code = int(how) if how.lstrip("-").isdecimal() else None
        await attached.viewer.tell(type="exit", code=exit_code, reason=reason)
        self.told.set()
        await attached.viewer.close(code, reason)

    async def _read(self, child: Child) -> None:
        """Read what the program prints, as fast as the viewer shows it."""
        while output := await child.stdout.read(CHUNK_BYTES):
            self._print(output)
            while (behind := self._attached) and self._behind(behind) >= WINDOW_BYTES:
                self._room.clear()
                await self._room.wait()
        self._finish(await child.ended)

    def _behind(self, attached: Attachment) -> int:
        return self._scrollback.end - attached.place + attached.waiting

    def _send(self, data: bytes) -> bool:
        if self._child is None or self.ended.done():
            return True
        pipe = self._child.stdin.transport
        if pipe.get_write_buffer_size() + len(data) > MAX_TYPED_BYTES:
            return False
        pipe.write(data)
        return True

    def _print(self, output: bytes) -> None:
        self._scrollback.add(output)
        self._news.set()

    def _let_go(self, attached: Attachment) -> None:
        attached.is_gone = True
        self._attached = None
        self._news.set()
        self._room.set()

    def _finish(self, how: str) -> None:
        if not self.ended.done():
            self.ended.set_result(how)
        self._news.set()
        self._room.set()
