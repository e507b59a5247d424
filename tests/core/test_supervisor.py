"""The supervisor as the program that it is."""

import os
import subprocess
import sys
from typing import Any

from browse.core import supervisor

COMMAND = [sys.executable, "-I", "-S", supervisor.__file__]
# All the time a test has, so that a slow machine changes nothing.
PATIENT_S = "50"
WAITS = "trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done"


class Started:
    """A supervisor with a program, in a group of its own; `end` is to let go of it."""

    def __init__(self, *program: str, env: dict[str, str] | None = None) -> None:
        self.told, status = os.pipe()
        hold, self._hold = os.pipe()
        options = ["--status", str(status), "--hold", str(hold), "--grace", PATIENT_S]
        self.process: Any = subprocess.Popen(
            [*COMMAND, *options, "--", *program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(status, hold),
            start_new_session=True,
            env=env,
        )
        os.close(status)
        os.close(hold)

    def end(self, word: bytes = b"") -> tuple[bytes, bytes, bytes]:
        """Let go of it, after a word; give what it told and what the program printed."""
        os.write(self._hold, word)
        os.close(self._hold)
        return self.ended()

    def ended(self) -> tuple[bytes, bytes, bytes]:
        with os.fdopen(self.told, "rb") as told:
            out, err = self.process.communicate(timeout=150)
            return told.read(), out, err


def test_left_alone_it_ends_the_program_and_itself():
    started = Started("sleep", "1000")

    assert started.end() == (b"-15\n", b"", b"")
    assert started.process.returncode == -9


def test_what_a_program_does_to_end_well_is_told():
    started = Started("sh", "-c", WAITS)
    assert started.process.stdout.readline() == b"up\n"

    assert started.end()[0] == b"5\n"


def test_told_to_it_ends_the_program_at_once():
    started = Started("sh", "-c", WAITS)
    assert started.process.stdout.readline() == b"up\n"

    assert started.end(b"!")[0] == b"-9\n"


def test_what_cannot_be_started_is_told():
    told, _, _ = Started("/no/such/program").ended()

    assert told == b"failed No such file or directory\n126\n"


def test_the_program_has_its_own_output_and_its_exit_code_is_told():
    started = Started("sh", "-c", "echo out; echo err >&2; exit 7")

    assert started.ended() == (b"7\n", b"out\n", b"err\n")


def test_the_end_of_an_output_is_seen_while_the_program_goes_on():
    started = Started("sh", "-c", "echo out; exec >&- 2>&-; sleep 1000")

    assert started.process.stdout.read() == b"out\n"
    assert started.end()[0] == b"-15\n"


def test_the_program_ignores_no_signal_and_does_not_see_the_daemons_token():
    code = (
        "import os, signal; print(signal.getsignal(signal.SIGXFSZ), os.environ.get('AUTH_TOKEN'),"
        " len(os.listdir('/dev/fd')))"
    )
    shell = f'trap - PIPE; kill -PIPE $$; echo ignored; exec "{sys.executable}" -c "pass"'
    env = {**os.environ, "AUTH_TOKEN": "secret"}

    assert Started("sh", "-c", shell).ended()[0] == b"-13\n"
    _, out, _ = Started(sys.executable, "-S", "-c", code, env=env).ended()
    assert b"secret" not in out
    # Its three, and the one that lists them: neither of the supervisor's.
    assert out.split()[-1] == b"4"
