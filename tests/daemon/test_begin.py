"""Starts that fail before there is a browser: the client that waits is told."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from browse.daemon.begin import main


@pytest.fixture
def ready() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    before = os.umask(0o022)
    yield reading, writing
    os.umask(before)
    os.close(reading)


def told(reading: int) -> str:
    with os.fdopen(os.dup(reading), "rb") as stream:
        return stream.read().decode()


def test_driver_does_not_wait_for_what_loads_beside_it():
    code = "import sys, browse.daemon.begin; print(*sys.modules)"

    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )

    late = {"asyncio", "browse.daemon.lifecycle", "logging", "msgspec", "playwright"}
    assert late.isdisjoint(ran.stdout.split())


def test_bad_settings_are_told_to_the_client_that_waits(ready):
    reading, writing = ready

    code = main({"BROWSE_READY_FD": str(writing), "BROWSE_PORT": "x", "BROWSE_MAX_TABS": "y"})

    assert code == 1
    assert told(reading).startswith("error 6\nBROWSE_PORT must be ")


def test_a_state_folder_that_cannot_be_made_is_told_to_the_client_that_waits(ready, tmp_path):
    reading, writing = ready
    (tmp_path / "file").write_text("")
    state_file = tmp_path / "file" / ".gstack" / "browse.json"

    code = main({"BROWSE_READY_FD": str(writing), "BROWSE_STATE_FILE": str(state_file)})

    assert code == 1
    assert told(reading).startswith(f"error 6\nCannot write {state_file.parent}")


def test_bad_settings_end_the_process_even_if_nobody_waits():
    assert main({"BROWSE_PORT": "x"}) == 1


def test_a_daemon_that_is_not_needed_says_so_and_goes(ready, tmp_path):
    reading, writing = ready
    with (tmp_path / "browse-daemon.lock").open("w") as held:
        held.write("1\nstarting\n")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)

        code = main(
            {"BROWSE_READY_FD": str(writing), "BROWSE_STATE_FILE": str(tmp_path / "browse.json")}
        )

    assert code == 0
    assert told(reading) == "taken\n"
    assert "not needed: pid 1 is the daemon" in (tmp_path / "browse-daemon.log").read_text()


def test_a_daemon_without_a_window_loads_nothing_for_one():
    code = "import sys, browse.daemon.lifecycle, browse.daemon.build; print(*sys.modules)"

    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )

    assert "browse.daemon.build" in ran.stdout.split()
    assert [it for it in ran.stdout.split() if it.startswith("browse.browser.window")] == []
