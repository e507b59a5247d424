"""The PTY process as the program that it is, with real programs in it."""

import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from browse.terminal import pty_process
from browse.terminal.pty_frames import INPUT, REDRAW, frame, size_frame
from support.cli import HANG_S, until
from support.signals import ORDINARY

ROOT = Path(pty_process.__file__).parents[2]
RUN = (
    "import sys; sys.path.append(sys.argv[1]);"
    "from browse.terminal.pty_process import main; main(sys.argv[2:])"
)


# Programs that are in front by the time they print. Not shells: between two commands, dash can lose
# a SIGINT, and a signal that it traps ends its `read`.
DRAWS = """
import os, signal, sys
signal.signal(signal.SIGWINCH, lambda *_: os.write(1, b"drawn"))
os.write(1, b"up")
sys.stdin.read()
"""
IGNORES = """
import signal, sys
print([it for it in sys.argv[1:] if signal.getsignal(int(it)) == signal.SIG_IGN])
"""
# The kernel ends it: a handler of Python's would be lost between `print` and `sleep`.
WAITS = (
    "import signal, time; signal.signal(signal.SIGINT, signal.SIG_DFL);"
    'print("is", "waiting", flush=True); time.sleep(1000)'
)


class Terminal:
    """A PTY process; `seen` is all that it has printed."""

    def __init__(self, *program: str, size: tuple[int, int] = (80, 24)) -> None:
        self.seen = b""
        words = [sys.executable, "-I", "-S", "-c", RUN, str(ROOT), *map(str, size), *program]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def type(self, words: str) -> None:
        self.send(frame(INPUT, words.encode()))

    def read_until(self, wanted: bytes) -> bytes:
        assert self.process.stdout
        while wanted not in self.seen:
            assert select.select([self.process.stdout], [], [], HANG_S)[0], self.seen[-2000:]
            piece = os.read(self.process.stdout.fileno(), 65_536)
            assert piece, self.seen[-2000:]
            self.seen += piece
        return self.seen

    def rest(self) -> bytes:
        assert self.process.stdout
        self.seen += self.process.stdout.read()
        return self.seen

    def ended(self) -> int:
        return self.process.wait(HANG_S)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    begun: list[Terminal] = []

    def begin(*program: str, size: tuple[int, int] = (80, 24)) -> Terminal:
        begun.append(Terminal(*program, size=size))
        return begun[-1]

    yield begin
    for it in begun:
        it.process.kill()
        it.process.wait()
        for pipe in (it.process.stdin, it.process.stdout):
            assert pipe
            with suppress(BrokenPipeError):  # what could not be sent to it
                pipe.close()


Begin = Callable[..., Terminal]


def test_a_program_has_a_terminal_of_the_size_asked_for(terminal: Begin):
    it = terminal("sh", "-c", "tty -s && stty size", size=(132, 43))

    assert it.rest() == b"43 132\r\n"
    assert it.ended() == 0


def test_what_is_typed_reaches_it_and_the_size_can_change(terminal: Begin):
    it = terminal("sh")
    it.send(size_frame(100, 30))
    it.type("stty size; echo a-$((40 + 2))\n")

    assert b"30 100\r\n" in it.read_until(b"a-42")


def test_ctrl_c_interrupts_what_is_in_front_and_not_the_shell(terminal: Begin):
    it = terminal("sh")
    it.type(f"{shlex.quote(sys.executable)} -I -S -c '{WAITS}'\n")
    it.read_until(b"is waiting\r\n")
    it.type("\x03")
    it.type("echo back-$?\n")

    it.read_until(b"back-130")


def test_a_program_takes_the_signals_that_our_starter_ignored(terminal: Begin):
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ORDINARY}
    try:
        it = terminal(sys.executable, "-I", "-S", "-c", IGNORES, *map(str, map(int, ORDINARY)))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

    assert it.rest() == b"[]\r\n"


def test_ctrl_c_works_while_nobody_reads_a_flood(terminal: Begin):
    it = terminal("sh", "-c", "trap 'touch \"$0\"; exit 3' INT; yes", "/dev/null")
    it.read_until(b"y\r\ny\r\n")
    (flood,) = until(lambda: psutil.Process(it.process.pid).children(recursive=True)[1:])
    waiting = until(lambda: flood.status() == psutil.STATUS_SLEEPING)
    it.type("\x03")

    psutil.wait_procs([flood], timeout=HANG_S)
    assert waiting
    assert not flood.is_running()
    it.rest()
    assert it.ended() == 3


def test_bytes_that_are_no_text_pass_unchanged(terminal: Begin):
    every = bytes(range(128, 256)) + b"\xc3\x28\xf0\x28\x8c\x28"
    script = f"import os, tty; tty.setraw(1); os.write(1, {every!r})"
    it = terminal(sys.executable, "-c", script)

    assert it.rest() == every


def test_all_that_was_printed_before_the_end_comes(terminal: Begin):
    it = terminal("sh", "-c", "seq 200000; exit 7")

    assert it.rest().endswith(b"199999\r\n200000\r\n")
    assert it.seen.startswith(b"1\r\n2\r\n")
    assert it.ended() == 7


def test_the_exit_code_of_a_signal_is_that_of_shells(terminal: Begin):
    it = terminal("sh", "-c", "kill -SEGV $$")

    it.rest()
    assert it.ended() == 128 + signal.SIGSEGV


def test_what_cannot_be_started_is_told_in_the_terminal(terminal: Begin):
    it = terminal("/no/such/program")

    assert it.rest() == b"browse: cannot start /no/such/program: No such file or directory\r\n"
    assert it.ended() == pty_process.CANNOT_START


def test_a_program_that_ends_is_seen_although_another_keeps_the_terminal(terminal: Begin):
    it = terminal("sh", "-c", "trap '' HUP; sleep 1000 & echo $!; exit 4")
    left = int(it.read_until(b"\n"))

    assert it.ended() == 4
    os.kill(left, signal.SIGKILL)  # the supervisor's part


def test_a_program_that_closes_its_terminal_can_still_be_ended(terminal: Begin):
    it = terminal("sh", "-c", "echo up; exec sleep 1000 <&- >&- 2>&-")
    it.read_until(b"up")
    (program,) = psutil.Process(it.process.pid).children()
    until(lambda: program.name() == "sleep")
    assert it.process.stdin
    it.process.stdin.close()

    assert it.ended() == 128 + signal.SIGHUP


@pytest.mark.parametrize("how", ["eof", "term"])
def test_the_end_of_the_daemon_hangs_the_program_up(terminal: Begin, how: str):
    it = terminal(
        "sh", "-c", "trap 'echo heard; exit 5' HUP; echo up; while :; do sleep 0.05; done"
    )
    it.read_until(b"up")
    if how == "eof":
        assert it.process.stdin
        it.process.stdin.close()
    else:
        it.process.terminate()

    assert it.ended() == 5


def test_a_program_that_ignores_that_is_killed(terminal: Begin):
    it = terminal("sh", "-c", "trap '' HUP TERM INT; echo up; while :; do sleep 0.05; done")
    it.read_until(b"up")
    it.process.terminate()

    assert it.ended() == 128 + signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a program with its parent")
def test_killed_it_takes_its_program_along(terminal: Begin):
    it = terminal("sh", "-c", "trap '' HUP; echo $$; exec sleep 1000")
    program = psutil.Process(int(it.read_until(b"\n")))
    it.process.kill()

    psutil.wait_procs([program], timeout=HANG_S)
    assert not program.is_running() or program.status() == psutil.STATUS_ZOMBIE


def test_a_full_screen_program_is_told_to_draw_anew(terminal: Begin):
    it = terminal(sys.executable, "-I", "-S", "-c", DRAWS)
    it.read_until(b"up")
    it.send(frame(REDRAW))

    it.read_until(b"drawn")
