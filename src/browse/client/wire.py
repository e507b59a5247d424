"""One conversation with the daemon: send a request, copy the frames of the reply as they come.

It never sends twice and never decides what to do about a broken conversation: the exception that it
raises says how far the conversation had come.
"""

import os

from browse import _exit

try:
    import _socket as sockets  # what `socket` wraps, without the enum import that costs 8 ms
except ImportError:  # an interpreter that has no such module
    import socket as sockets  # type: ignore[no-redef]  # the same names behind another door

SILENCE_SECONDS = 30.0
CHUNK_BYTES = 262_144
MAX_HEAD_BYTES = 65_536
MAX_ERROR_BYTES = 1_048_576
MAX_FRAME_LINE = 32
FRAMES_TYPE = b"application/x-browse-frames"
STDOUT, STDERR = 1, 2


class Failure(Exception):
    """What to print on stderr, line by line, and the exit code."""

    def __init__(self, code: int, *lines: str) -> None:
        super().__init__(*lines)
        self.code = code
        self.lines = lines


class StdoutClosed(Exception):
    """Nobody reads our stdout any more."""


class Trouble(Exception):
    """The conversation broke; the subclass says how far it had come."""


class Refused(Trouble):
    """Not a byte was sent: nothing ran."""


class ReplyLost(Trouble):
    """The request was sent and the reply ended before its exit code."""


class Dropped(ReplyLost):
    """The connection was reset before the reply: the request was not read, nothing ran.

    The system resets a connection that is closed with unread bytes in it, which also happens
    when a daemon ends before it accepted the connection. After bytes that were read, it closes.
    """


class Silent(Trouble):
    """The daemon holds the connection open and has sent nothing for too long."""


class Rejected(Trouble):
    """The daemon answered without running the command."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, also to a descriptor that is in non-blocking mode."""
    at = 0
    while at < len(data):
        try:
            at += os.write(fd, data[at:] if at else data)
        except BlockingIOError:
            import select  # only an inherited non-blocking descriptor comes here

            select.select([], [fd], [])


def put(data: bytes) -> None:
    """Write to stdout; raise `StdoutClosed` if the reader is gone, `Failure` for other errors."""
    try:
        write_all(STDOUT, data)
    except BrokenPipeError as exc:
        raise StdoutClosed from exc
    except OSError as exc:
        raise Failure(_exit.FAILED, f"cannot write to stdout: {exc.strerror}") from exc


def put_error(data: bytes) -> None:
    """Write to stderr; if that fails, nobody is left to tell."""
    try:  # noqa: SIM105  # contextlib is not on the client's import list
        write_all(STDERR, data)
    except OSError:
        pass


def say(*lines: str) -> None:
    """Print a message on stderr, each line marked as ours."""
    put_message("".join(f"[browse] {line}\n" for line in lines))


def put_message(text: str) -> None:
    """Write our own words to stderr; what is not printable in them is escaped."""
    put_error("\n".join(map(escaped, text.split("\n"))).encode())


def escaped(text: str) -> str:
    """Escape what is not printable, so that a terminal does not obey it."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


class ReplyReader:
    """Splits a reply as it comes in, at any byte boundary, and copies it out at once."""

    __slots__ = ("_kind", "_left", "_line", "_midline", "_quiet", "exit")

    def __init__(self, *, quiet: bool = False) -> None:
        self.exit: int | None = None
        self._quiet = quiet
        self._kind = b""
        self._left = 0
        self._line = b""
        self._midline = False

    def feed(self, data: bytes) -> None:
        at = 0
        while at < len(data) and self.exit is None:
            if self._left:
                end = min(at + self._left, len(data))
                self._left -= end - at
                self._copy(data[at:end])
            else:
                end = data.find(b"\n", at) + 1 or len(data)
                self._line += data[at:end]
                self._header()
            at = end

    def end_line(self) -> None:
        """End the last line of stdout if the daemon did not."""
        if self._midline:
            self._midline = False
            put(b"\n")

    def _copy(self, piece: bytes) -> None:
        if self._quiet:
            return
        if self._kind == b"2":
            put_error(piece)
            return
        self._midline = False  # should the write fail, no newline may be tried after it
        put(piece)
        self._midline = not piece.endswith(b"\n")

    def _header(self) -> None:
        if not self._line.endswith(b"\n") and len(self._line) <= MAX_FRAME_LINE:
            return
        kind, _, number = self._line[:-1].partition(b" ")
        if kind not in (b"1", b"2", b".", b"x") or not number.isdigit():
            raise not_ours()
        self._kind, self._line = kind, b""
        if kind == b"x":
            self.exit = int(number) & 255
        elif kind != b".":
            self._left = int(number)


def request(port: int, token: str, words: bytes, stdin: bytes) -> bytes:
    """Build the request; `words` is the block of NUL-terminated fields."""
    head = (
        "POST /command HTTP/1.0\r\n"
        f"Host: 127.0.0.1:{port}\r\n"
        f"Authorization: Bearer {token}\r\n"
        "Content-Type: application/x-browse-argv\r\n"
        f"X-Browse-Argv: {len(words)}\r\n"
        f"Content-Length: {len(words) + len(stdin)}\r\n\r\n"
    )
    return head.encode() + words + stdin


def exchange(port: int, data: bytes, *, reader: "ReplyReader | None" = None) -> int:
    """Send one request, copy the reply to stdout and stderr, return the exit code."""
    sock = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    try:
        sock.settimeout(SILENCE_SECONDS)
        try:
            sock.connect(("127.0.0.1", port))
        except TimeoutError:
            raise Silent from None
        except OSError as exc:
            raise Refused from exc
        whole = _send(sock, data)
        return _receive(sock, reader or ReplyReader(), whole=whole)
    finally:
        sock.close()


def _send(sock: sockets.socket, data: bytes) -> bool:
    """Send; return whether all of it was sent."""
    # Not sendall: its time limit is for the whole, and a long stdin takes its time.
    view = memoryview(data)
    sent = 0
    while sent < len(view):
        try:
            sent += sock.send(view[sent:])
        except TimeoutError:
            raise Silent from None
        except OSError as exc:
            if not sent:
                raise Refused from exc
            return False  # the daemon may have answered without reading all of it
    return True


def _receive(sock: sockets.socket, frames: ReplyReader, *, whole: bool) -> int:
    status, head, rest = _head(sock, _first(sock, whole=whole))
    if status != 200:
        while len(rest) < MAX_ERROR_BYTES and (more := _next(sock)):
            rest += more
        raise Rejected(status, rest)
    if FRAMES_TYPE not in head:
        raise not_ours()
    try:
        frames.feed(rest)
        while frames.exit is None:
            data = _next(sock)
            if not data:
                raise ReplyLost
            frames.feed(data)
    finally:
        frames.end_line()
    return frames.exit


def _head(sock: sockets.socket, seen: bytes) -> tuple[int, bytes, bytes]:
    while b"\r\n\r\n" not in seen:
        if len(seen) > MAX_HEAD_BYTES:
            raise not_ours()
        more = _next(sock)
        if not more:
            raise ReplyLost
        seen += more
    head, _, rest = seen.partition(b"\r\n\r\n")
    status = head[9:12]
    if not head.startswith(b"HTTP/1.") or not status.isdigit():
        raise not_ours()
    return int(status), head.lower(), rest


def _first(sock: sockets.socket, *, whole: bool) -> bytes:
    try:
        data = sock.recv(CHUNK_BYTES)
    except TimeoutError:
        raise Silent from None
    except ConnectionResetError:
        raise Dropped from None
    except OSError:
        raise ReplyLost from None
    if not data:
        raise ReplyLost if whole else Dropped
    return data


def _next(sock: sockets.socket) -> bytes:
    try:
        return sock.recv(CHUNK_BYTES)
    except TimeoutError:
        raise Silent from None
    except OSError:  # a reset is an end like any other
        return b""


def not_ours() -> Failure:
    """Build the error for a reply that no daemon of this version would send."""
    return Failure(
        _exit.UNREACHABLE,
        "What answered on the daemon's port does not speak browse's protocol.",
        "The command may have run. Type `browse --force-restart status` to start afresh.",
    )
