"""The keeper as the program that it is."""

import subprocess
import sys

from browse.tunnel import keeper

COMMAND = [sys.executable, "-I", "-S", keeper.__file__]
# A keeper that has all the time a test has, so that a slow machine changes nothing.
PATIENT = """
import sys
from browse.tunnel import keeper
keeper.GRACE_S = 50.0
keeper.main(sys.argv[1:])
"""


def run(*argv: str) -> subprocess.CompletedProcess[bytes]:
    """Run a keeper that is left alone from the start, in a group of its own."""
    return subprocess.run(
        [sys.executable, "-I", "-c", PATIENT, *argv],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        start_new_session=True,
        timeout=150,
        check=False,
    )


def test_left_alone_it_ends_the_program_and_itself():
    done = run("sleep", "1000")

    assert done.returncode == -9
    assert done.stdout == b"signal 15\n"


def test_what_a_program_does_to_end_well_is_told():
    waits = "trap 'exit 5' TERM; echo up; while :; do sleep 0.05; done"
    with subprocess.Popen(
        [sys.executable, "-I", "-c", PATIENT, "sh", "-c", waits],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdin
        assert child.stdout
        assert child.stderr
        assert child.stderr.readline() == b"up\n"
        child.stdin.close()

        assert child.stdout.read() == b"exit 5\n"


def test_what_cannot_be_started_is_told():
    done = run("/no/such/program")

    assert (done.returncode, done.stdout) == (0, b"failed No such file or directory\n")


def test_the_words_of_the_program_go_to_stderr():
    with subprocess.Popen(
        [*COMMAND, "sh", "-c", "echo out; echo err >&2; exit 7"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdout
        assert child.stderr
        assert child.stdout.read() == b"exit 7\n"
        assert child.stderr.read() == b"out\nerr\n"
