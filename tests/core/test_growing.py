"""Files that several daemons add to."""

import contextlib
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from browse.core.growing import alone, append
from support.cli import until

# Adds as much as the limit on the size of files allows, which is what a full disk looks like.
FILLING = """
import resource, signal, sys
from pathlib import Path
from browse.core.growing import alone, append
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
with alone(Path(sys.argv[1])) as fd:
    try:
        append(fd, b"x" * 300)
    except OSError as exc:
        print(exc.strerror)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "log.jsonl"


def test_a_new_file_is_private(path):
    with alone(path) as fd:
        append(fd, b"one\n")

    assert path.read_bytes() == b"one\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_another_holder_is_waited_for_only_so_long(path):
    wanted = pytest.raises(OSError, match="Another process holds it")

    with alone(path), wanted, alone(path, wait_s=0.05):
        pass


def test_a_file_that_was_moved_away_meanwhile_is_not_written_to(path, tmp_path):
    def write() -> None:
        with alone(path) as fd:
            append(fd, b"one\n")

    late = threading.Thread(target=write)
    with alone(path):
        late.start()
        until(lambda: times_open(path) == 2, what="the second writer")
        moved = path.rename(tmp_path / "moved")
    late.join()

    assert (moved.read_bytes(), path.read_bytes()) == (b"", b"one\n")


def times_open(path: Path) -> int:
    """Count the descriptors of this process that lead to a file."""
    wanted, found = path.stat(), 0
    for entry in Path("/dev/fd").iterdir():
        with contextlib.suppress(OSError):
            found += os.path.samestat(os.fstat(int(entry.name)), wanted)
    return found


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_only_a_file_will_do(path, make):
    make(path)

    with pytest.raises(OSError), alone(path):  # noqa: PT011 - the reason differs
        pass


def test_what_does_not_fit_is_taken_back(path):
    path.write_bytes(b"one\n")

    done = subprocess.run(
        [sys.executable, "-c", FILLING, str(path)], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "File too large"
    assert path.read_bytes() == b"one\n"
