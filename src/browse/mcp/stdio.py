"""MCP over stdin and stdout: a message a line. One thread waits for the client and for commands."""

import contextlib
import gc
import os
import select
import signal
import time
from dataclasses import dataclass, field

from browse import _where
from browse.mcp.client_call import ClientCall
from browse.mcp.messages import INVALID_REQUEST, Json, RpcError, RpcMessage, encode, read
from browse.mcp.runs import Run
from browse.mcp.server import Server
from browse.mcp.tools import failed

STDIN, STDOUT = 0, 1
CHUNK_BYTES = 1_048_576
MAX_LINE_BYTES = 67_108_864
MAX_CALLS = 32
PROGRESS_S = 5.0


class ClientGone(Exception):
    """Nobody reads our answers any more."""


@dataclass(slots=True)
class RunningCall:
    """A request whose command runs."""

    message: RpcMessage
    run: Run
    call: ClientCall
    begun: float = field(default_factory=time.monotonic)
    next_report: float = 0.0
    cancelled: bool = False


class LineSplitter:
    """Splits what comes in into lines; one that is too long is dropped, and told as None."""

    def __init__(self, most: int = MAX_LINE_BYTES) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0
        self._dropping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        found: list[bytes | None] = []
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._add(part)
            found.append(None if self._dropping else b"".join(self._parts))
            self._parts, self._size, self._dropping = [], 0, False
        self._add(rest)
        return found

    def rest(self) -> bytes:
        """Return the last line, which nothing ended."""
        return b"".join(self._parts)

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        self._dropping = self._dropping or self._size > self._most
        self._parts = [] if self._dropping else [*self._parts, part] if part else self._parts


class Stdio:
    """Serves the client at our stdin and stdout, until it closes them."""

    def __init__(self) -> None:
        self._server = Server()
        self._lines = LineSplitter()
        self._work: dict[int, RunningCall] = {}  # by the pipes of their commands
        self._poll = select.poll()
        self._reads = True
        self._env = _identity()

    def serve(self) -> None:
        """Answer until the client is gone; commands that run then are ended with it."""
        self._poll.register(STDOUT, 0)  # tells when its reader is gone
        self._poll.register(STDIN, select.POLLIN)
        try:
            while self._reads or self._work:
                self._wait()
        except ClientGone:
            pass
        finally:
            for work in self._works():
                work.call.cancel()

    def _wait(self) -> None:
        for fd, _ in self._poll.poll(self._patience_ms()):
            if fd == STDOUT:
                raise ClientGone
            if fd == STDIN:
                self._listen()
            elif work := self._work.get(fd):
                self._attend(work, fd)
        self._report()

    def _listen(self) -> None:
        try:
            data = os.read(STDIN, CHUNK_BYTES)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        for line in self._lines.feed(data):
            self._take(line)
        if not data:
            self._poll.unregister(STDIN)
            self._reads = False
            self._take(self._lines.rest())

    def _take(self, line: bytes | None) -> None:
        if line is not None and not line.strip():
            return
        try:
            if line is None:
                limit = f"{MAX_LINE_BYTES >> 20} MiB"
                raise RpcError(
                    INVALID_REQUEST, f"A message is longer than {limit}; it was dropped."
                )
            if message := read(line):
                self._answer(message)
        except RpcError as exc:
            self._put(exc.reply())

    def _answer(self, message: RpcMessage) -> None:
        if message.id is None:
            if message.method == "notifications/cancelled":
                self._cancel(message.params.get("requestId"))
            return
        found = self._server.answer(message)
        if not isinstance(found, Run):
            self._put(found)
        elif len(self._works()) >= MAX_CALLS:
            text = f"{MAX_CALLS} commands are running already; this one was not run. Wait for one."
            self._put(message.reply(failed(text)))
        else:
            self._start(message, found)

    def _start(self, message: RpcMessage, run: Run) -> None:
        try:
            call = ClientCall(run, {**self._env, **_beside(run)})
        except OSError as exc:
            text = (
                f"No process could be started ({exc.strerror}); the command was not run. Try again."
            )
            self._put(message.reply(failed(text)))
            return
        work = RunningCall(message, run, call)
        work.next_report = work.begun + PROGRESS_S
        for fd in (work.call.out, work.call.err):
            self._watch(work, fd, select.POLLIN)
        if (more := work.call.input) is not None:
            self._watch(work, more, select.POLLOUT)

    def _watch(self, work: RunningCall, fd: int, events: int) -> None:
        self._work[fd] = work
        self._poll.register(fd, events)

    def _forget(self, fd: int) -> None:
        self._poll.unregister(fd)
        del self._work[fd]

    def _attend(self, work: RunningCall, fd: int) -> None:
        call = work.call
        if fd == call.input:
            call.feed()
            goes_on = call.input is not None
        else:
            goes_on = call.take(fd)
        if not goes_on:
            self._forget(fd)
        if call.has_ended:
            for left in [it for it, of in self._work.items() if of is work]:
                self._forget(left)
            outcome = call.outcome()
            if not work.cancelled:
                self._put(self._server.finish(work.message, work.run, outcome))

    def _cancel(self, id: object) -> None:
        for work in self._works():
            if work.message.id == id:
                work.cancelled = True
                work.call.cancel()

    def _works(self) -> list[RunningCall]:
        return list({id(work): work for work in self._work.values()}.values())

    def _patience_ms(self) -> float | None:
        due = [it.next_report for it in self._works() if it.message.progress_token is not None]
        return max(0.0, min(due) - time.monotonic()) * 1000 if due else None

    def _report(self) -> None:
        """Tell those who asked for it that their work goes on."""
        now = time.monotonic()
        for work in self._works():
            if work.message.progress_token is None or now < work.next_report or work.cancelled:
                continue
            work.next_report = now + PROGRESS_S
            self._put(work.message.progress(round(now - work.begun)))

    def _put(self, message: Json) -> None:
        view = memoryview(encode(message) + b"\n")
        while view:
            try:
                view = view[os.write(STDOUT, view) :]
            except BlockingIOError:  # hosts may give us a pipe that does not wait
                select.select([], [STDOUT], [])
            except ConnectionError:  # a broken pipe, or a socket that was reset
                raise ClientGone from None


def _beside(run: Run) -> dict[str, str]:
    """Return what stands beside the words, as a shell would set it."""
    found = {"BROWSE_TAB": str(run.tab or ""), "BROWSE_SESSION": run.session}
    found = {name: value for name, value in found.items() if value}
    if run.only_reads:
        found["BROWSE_ONLY_READ"] = "1"
    if not run.starts:
        found["BROWSE_NO_AUTOSTART"] = "1"
    return found


def _identity() -> dict[str, str]:
    """Return a name for this client, unless it or its conversation has one: its own current tab."""
    known = ("BROWSE_AGENT", *_where.CONVERSATIONS)
    if any(os.environ.get(name) for name in known):
        return {}
    return {"BROWSE_AGENT": f"mcp-{os.urandom(4).hex()}"}


def serve() -> None:
    """Serve until the client goes, or until we are told to end."""

    def leave(*_: object) -> None:
        raise ClientGone

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    gc.freeze()  # the forks share what is loaded now
    with contextlib.suppress(ClientGone):
        Stdio().serve()
