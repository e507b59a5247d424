"""One daemon per project, with a real lock."""

import os
import stat
import subprocess
import sys

import pytest

from browse.core.errors import BrowseError, Code
from browse.daemon import singleton

HOLDER = """
import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(fd, fcntl.LOCK_EX)
os.write(fd, str(os.getpid()).encode())
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def lock(tmp_path):
    return tmp_path / "browse-daemon.lock"


@pytest.fixture
def holder(lock):
    """Another process that holds the lock until its stdin ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout
    assert process.stdout.readline() == b"held\n"
    with process:
        yield process
        process.kill()


def test_the_lock_is_private_and_names_its_holder(lock):
    fd = singleton.hold(lock)

    assert lock.read_text() == str(os.getpid())
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    os.close(fd)


def test_a_second_daemon_is_refused_with_the_pid_of_the_first(lock, holder, monkeypatch):
    monkeypatch.setattr(singleton, "HANDOVER_S", 0.05)

    with pytest.raises(BrowseError, match=f"pid {holder.pid}") as caught:
        singleton.hold(lock)

    assert caught.value.code is Code.STATE_UNUSABLE


def test_the_lock_of_one_that_was_killed_is_free(lock, holder):
    holder.kill()
    holder.wait()

    os.close(singleton.hold(lock))


def test_a_predecessor_that_is_ending_is_waited_for(lock, holder):
    holder.stdin.close()

    os.close(singleton.hold(lock))


def test_a_shorter_pid_leaves_nothing_of_the_longer_one(lock):
    lock.write_text("123456789012345")

    os.close(singleton.hold(lock))

    assert lock.read_text() == str(os.getpid())


def test_a_link_in_the_place_of_the_lock_is_refused(lock, tmp_path):
    lock.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BrowseError, match="ELOOP"):
        singleton.hold(lock)

    assert not (tmp_path / "elsewhere").exists()


def test_a_missing_folder_is_an_error_that_names_it(tmp_path):
    with pytest.raises(BrowseError, match="ENOENT"):
        singleton.hold(tmp_path / "gone" / "lock")
