"""One daemon per project, with a real lock."""

import json
import os
import stat
import subprocess
import sys

import pytest

from browse import _where
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
def state_file(tmp_path):
    return tmp_path / "browse.json"


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


def test_the_lock_is_private_and_names_its_holder(lock, state_file):
    held = singleton.hold(lock, state_file)

    assert lock.read_text() == f"{os.getpid()}\nstarting\n"
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    os.close(held.fd)


def test_the_lock_says_in_which_part_of_its_life_its_holder_is(lock, state_file):
    held = singleton.hold(lock, state_file)

    held.write_phase("ending")

    assert lock.read_text().split() == [str(os.getpid()), "ending"]
    os.close(held.fd)


def test_a_daemon_that_finds_another_one_starting_is_not_needed(lock, holder, state_file):
    lock.write_text(f"{holder.pid}\nstarting\n")

    with pytest.raises(singleton.Taken, match=str(holder.pid)):
        singleton.hold(lock, state_file)


def test_a_daemon_that_finds_another_one_serving_is_not_needed(lock, holder, state_file):
    state = {"pid": holder.pid, "port": 9, "token": "t", "pidStart": _where.pid_start(holder.pid)}
    state_file.write_text(json.dumps(state, indent=2))

    with pytest.raises(singleton.Taken):
        singleton.hold(lock, state_file)


def test_a_second_daemon_is_refused_with_the_pid_of_the_first(
    lock, holder, monkeypatch, state_file
):
    monkeypatch.setattr(singleton, "HANDOVER_S", 0.05)

    with pytest.raises(BrowseError, match=f"pid {holder.pid}") as caught:
        singleton.hold(lock, state_file)

    assert caught.value.code is Code.STATE_UNUSABLE


def test_the_lock_of_one_that_was_killed_is_free(lock, holder, state_file):
    holder.kill()
    holder.wait()

    os.close(singleton.hold(lock, state_file).fd)


def test_a_predecessor_that_is_ending_is_waited_for(lock, holder, state_file):
    holder.stdin.close()

    os.close(singleton.hold(lock, state_file).fd)


def test_a_shorter_pid_leaves_nothing_of_the_longer_one(lock, state_file):
    lock.write_text("123456789012345")

    os.close(singleton.hold(lock, state_file).fd)

    assert lock.read_text() == f"{os.getpid()}\nstarting\n"


def test_a_link_in_the_place_of_the_lock_is_refused(lock, tmp_path, state_file):
    lock.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BrowseError, match="ELOOP"):
        singleton.hold(lock, state_file)

    assert not (tmp_path / "elsewhere").exists()


def test_a_missing_folder_is_an_error_that_names_it(tmp_path, state_file):
    with pytest.raises(BrowseError, match="ENOENT"):
        singleton.hold(tmp_path / "gone" / "lock", state_file)
