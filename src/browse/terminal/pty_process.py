"""Runs a program in a pseudo-terminal, and relays its bytes: `<columns> <rows> <program> …`.

A process of its own, below a supervisor, so that nothing of a terminal is left when the daemon is
gone. stdin brings frames (`pty_frames.py`); stdout takes what the program prints. While nobody
reads stdout, nothing is read from the program either: it waits, and no memory grows; what is typed
still reaches it. When stdin ends, or on SIGTERM, the program is hung up, and killed if it stays.
The exit code is the program's, or 128 and the number of the signal that ended it.
"""

import fcntl
import os
import select
import signal
import struct
import sys
import termios
import time

from browse.terminal.pty_frames import INPUT, REDRAW, SIZE, FrameReader, size_of

CHUNK_BYTES = 64 * 1024
# How long a program has after it was hung up.
HANG_UP_S = 2.0
CANNOT_START = 127
# The daemon may ignore some of these as its starter did: `nohup` and a script's `&` have it so.
_TO_DEFAULT = (
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGHUP,
    signal.SIGTERM,
    signal.SIGCHLD,
    signal.SIGPIPE,
    signal.SIGXFSZ,
)
_IUTF8 = 0x4000  # the same on Linux and macOS; Python 3.11 does not name it
_DEATH_SIGNAL = 1  # of prctl


def main(argv: "list[str]") -> None:
    """Run the program to its end; never comes back."""
    columns, rows, program = int(argv[0]), int(argv[1]), argv[2:]
    # Before the fork: a program that ends at once must not be missed.
    woken, wake = os.pipe()
    for fd in (woken, wake):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    master, terminal = os.openpty()
    set_size(terminal, columns, rows)
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        _become(program, terminal, parent)
    os.close(terminal)
    relay = PtyRelay(pid, master, woken)
    os._exit(relay.run())


class PtyRelay:
    """Carries bytes between the daemon and the program until one of them is gone."""

    def __init__(self, pid: int, master: int, woken: int) -> None:
        self._pid = pid
        self._master = master
        self._woken = woken
        self._frames = FrameReader()
        self._typed = bytearray()
        self._printed = b""
        self._code: int | None = None
        self._hung_up = False
        self._is_silent = False
        for fd in (master, 1):
            os.set_blocking(fd, False)

    def run(self) -> int:
        """Relay until the end; return the exit code."""
        while self._code is None and not self._hung_up:
            self._turn()
        if self._hung_up:
            return self._end()
        self._drain()
        return self._code if self._code is not None else CANNOT_START

    def _turn(self) -> None:
        reading = [self._woken]
        if len(self._typed) < CHUNK_BYTES:
            reading.append(0)
        if not self._printed and not self._is_silent:
            reading.append(self._master)
        writing = ([1] if self._printed else []) + ([self._master] if self._typed else [])
        readable, writable, _ = select.select(reading, writing, [])
        if self._woken in readable:
            self._wake_up()
        if 0 in readable:
            self._listen()
        if self._master in writable:
            del self._typed[: self._write(self._master, self._typed)]
        if 1 in writable:
            self._print()
        if self._master in readable and self._code is None and not self._hung_up:
            self._read()

    def _wake_up(self) -> None:
        """See what signals said: the program may have ended, or has to."""
        if signal.SIGTERM in os.read(self._woken, 1024):
            self._hung_up = True
        self._look_for_end()

    def _look_for_end(self) -> None:
        pid, status = os.waitpid(self._pid, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            self._code = code if code >= 0 else 128 - code

    def _listen(self) -> None:
        piece = os.read(0, CHUNK_BYTES)
        if not piece:
            self._hung_up = True
        for kind, payload in self._frames.feed(piece):
            if kind == INPUT:
                self._typed += payload
            elif kind == SIZE:
                set_size(self._master, *size_of(payload))
            elif kind == REDRAW:
                self._signal_foreground(signal.SIGWINCH)

    def _read(self) -> None:
        """Take what there is; a terminal gives at most four kilobytes at a time."""
        taken: list[bytes] = []
        size = 0
        while size < CHUNK_BYTES:
            try:
                piece = os.read(self._master, CHUNK_BYTES)
            except BlockingIOError:
                break
            except OSError:  # EIO: nobody has the terminal open any more
                piece = b""
            if not piece:
                # Its end is seen by a signal; one that only closed its terminal goes on.
                self._is_silent = True
                break
            taken.append(piece)
            size += len(piece)
        if taken:
            self._printed = b"".join(taken)
            self._print()

    def _print(self) -> None:
        self._printed = self._printed[self._write(1, self._printed) :]

    def _write(self, fd: int, data: "bytes | bytearray") -> int:
        try:
            return os.write(fd, data)
        except BlockingIOError:
            return 0
        except OSError:  # the daemon is gone, or nobody has the terminal open
            if fd == 1:
                self._hung_up = True
            return len(data)

    def _drain(self) -> None:
        """Pass on what a program printed before it ended; the daemon may take its time."""
        os.set_blocking(1, True)
        while True:
            if self._printed:
                self._print()
                continue
            if self._hung_up:
                return
            try:
                self._printed = os.read(self._master, CHUNK_BYTES)
            except OSError:  # nothing is left, or nobody has it open any more
                return
            if not self._printed:
                return

    def _end(self) -> int:
        """Hang the program up, and kill it if it stays."""
        foreground = self._foreground()
        for group in {self._pid, foreground} - {0}:
            _signal_group(group, signal.SIGHUP)
            _signal_group(group, signal.SIGCONT)  # a stopped program hears nothing
        os.close(self._master)
        deadline = time.monotonic() + HANG_UP_S
        while self._code is None and (left := deadline - time.monotonic()) > 0:
            if select.select([self._woken], [], [], left)[0]:
                self._wake_up()
        for group in {self._pid, foreground} - {0}:
            _signal_group(group, signal.SIGKILL)
        if self._code is None:
            _, status = os.waitpid(self._pid, 0)
            self._code = 128 - os.waitstatus_to_exitcode(status)
        return self._code

    def _foreground(self) -> int:
        try:
            return os.tcgetpgrp(self._master)
        except OSError:  # the terminal has no program in front any more
            return 0

    def _signal_foreground(self, number: int) -> None:
        if group := self._foreground():
            _signal_group(group, number)


def set_size(terminal: int, columns: int, rows: int) -> None:
    """Tell the terminal its size; the kernel tells the program."""
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _signal_group(group: int, number: int) -> None:
    try:  # noqa: SIM105 - contextlib is too slow to import here
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # gone already, or another user's by now
        pass


def _become(program: "list[str]", terminal: int, parent: int) -> None:
    """Turn this process into the program, in a session of its own on the terminal."""
    try:
        os.login_tty(terminal)
        for number in _TO_DEFAULT:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        modes = termios.tcgetattr(0)
        modes[0] |= _IUTF8  # erasing takes a whole character
        termios.tcsetattr(0, termios.TCSANOW, modes)
        _die_with(parent)
        os.execvp(program[0], program)  # noqa: S606 - no shell is meant
    except OSError as exc:
        os.write(2, f"browse: cannot start {program[0]}: {exc.strerror}\n".encode())
    finally:
        os._exit(CANNOT_START)


def _die_with(parent: int) -> None:
    """Have the kernel kill the program if the process that holds its terminal is killed."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(CANNOT_START)
