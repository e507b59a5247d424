"""The start lock and the daemon's lock: waited for with a limit, and honest about failure."""

import fcntl
import os

import pytest

from browse.client import locks
from browse.client.wire import Failure


@pytest.fixture
def state(tmp_path):
    return str(tmp_path / "browse.json")


def test_the_start_lock_says_who_holds_it(state):
    with locks.starting(state, 1), open(state + ".lock") as file:  # noqa: PTH123
        assert file.read() == f"{os.getpid()}\n1\n"


def test_the_start_lock_is_free_afterwards(state):
    with locks.starting(state, 1):
        pass
    with locks.starting(state, 0):
        pass


def test_a_held_start_lock_is_given_up_with_its_holder(state):
    with locks.starting(state, 1), pytest.raises(Failure) as caught, locks.starting(state, 0):
        pass
    assert caught.value.code == 6
    assert caught.value.lines[0] == (
        f"E_SERVER_LOCK (EAGAIN): cannot acquire {state}.lock — "
        f"pid {os.getpid()} has held it for 0 s."
    )


def test_a_long_wait_is_announced_once(state, capfd, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE_SECONDS", 0)

    with locks.starting(state, 1), pytest.raises(Failure), locks.starting(state, 0.1):
        pass

    told = "[browse] Another client is starting the daemon, waiting...\n"
    assert capfd.readouterr().err == told


def test_a_missing_folder_is_named_with_its_errno(tmp_path):
    said = r"E_SERVER_LOCK \(ENOENT\): cannot acquire"
    state = str(tmp_path / "none/browse.json")

    with pytest.raises(Failure, match=said), locks.starting(state, 1):
        pass


def test_a_start_lock_that_is_a_link_is_not_written_through(tmp_path, state):
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "browse.json.lock").symlink_to("precious")

    with pytest.raises(Failure, match="ELOOP"), locks.starting(state, 1):
        pass
    assert (tmp_path / "precious").read_text() == "mine"


def test_no_daemon_lock_is_no_daemon(state):
    assert locks.holder(state) is None


def test_a_free_daemon_lock_is_no_daemon(tmp_path, state):
    (tmp_path / "browse-daemon.lock").write_text("1\n")

    assert locks.holder(state) is None


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("", None),
        ("x", None),
        ("1\n", None),
        ("1\nserving \n", None),
        ("99999999999999\n", None),
        ("{pid}", ""),
        ("{pid}\n", ""),
        ("{pid}\nending  \n", "ending"),
    ],
)
def test_a_held_daemon_lock_names_its_holder_only_if_it_has_it_open(tmp_path, state, text, phase):
    with (tmp_path / "browse-daemon.lock").open("w") as held:
        held.write(text.format(pid=os.getpid()))
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)

        known = (
            locks.LockHolder(os.getpid(), phase) if phase is not None else locks.LockHolder(0, "")
        )
        assert locks.holder(state) == known


def test_a_daemon_lock_that_is_a_link_is_refused(tmp_path, state):
    (tmp_path / "browse-daemon.lock").symlink_to("elsewhere")

    with pytest.raises(Failure, match="ELOOP"):
        locks.holder(state)
