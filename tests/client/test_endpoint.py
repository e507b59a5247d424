"""Only a living process that wrote the state is a daemon to talk to."""

import os
from pathlib import Path

import pytest

import browse
from browse import _where
from browse.client import endpoint
from browse.client.wire import Failure
from support.fake_daemon import TOKEN, write_state


@pytest.fixture
def state(tmp_path):
    return tmp_path / ".gstack/browse.json"


def test_a_living_daemon_is_found(state):
    write_state(state, 4100)

    daemon = endpoint.living(str(state))

    assert daemon is not None
    assert (daemon.pid, daemon.port, daemon.token) == (os.getpid(), 4100, TOKEN)
    assert not daemon.outdated


def test_no_state_is_no_daemon(state):
    assert endpoint.living(str(state)) is None


def test_a_dead_daemon_is_recorded_but_not_living(state, dead_pid):
    write_state(state, 4100, pid=dead_pid, pidStart="77")

    recorded = endpoint.recorded(str(state))

    assert recorded is not None
    assert recorded.pid == dead_pid
    assert endpoint.living(str(state)) is None


def test_a_stranger_with_the_same_pid_is_not_the_daemon(state):
    write_state(state, 4100, pidStart="1")

    assert endpoint.living(str(state)) is None


def test_a_damaged_state_is_no_daemon(state):
    state.parent.mkdir()
    state.write_text("{")

    assert endpoint.living(str(state)) is None


@pytest.mark.parametrize(
    ("version", "outdated"),
    [("0.0.9", True), (browse.__version__, False), ("", False), (None, False)],
)
def test_a_version_counts_only_when_it_is_known(state, version, outdated):
    write_state(state, 4100, binaryVersion=version)

    daemon = endpoint.living(str(state))

    assert daemon is not None
    assert daemon.outdated is outdated


def test_a_link_is_refused_with_the_way_out(state):
    state.parent.mkdir()
    state.symlink_to("elsewhere")

    with pytest.raises(Failure) as caught:
        endpoint.living(str(state))
    assert caught.value.code == 6
    assert caught.value.lines == (
        f"The state file {state} cannot be used: it is a symbolic link.",
        f"Type `rm {state}`, or choose another place with BROWSE_STATE_FILE=<path>.",
    )


def test_a_folder_is_refused_with_the_way_out(state):
    state.mkdir(parents=True)

    with pytest.raises(Failure) as caught:
        endpoint.living(str(state))
    assert f"`rm -r {state}`" in caught.value.lines[1]
    assert state.is_dir()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_a_foreign_state_is_refused(state):
    write_state(state, 4100)
    os.chown(state, 12345, 12345)

    with pytest.raises(Failure, match="another user"):
        endpoint.living(str(state))


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("place", "stamp", "outdated"),
    [
        ("ours", "the same", False),
        ("ours", "1-1", True),
        ("ours", "", False),
        ("another", "1-1", False),
    ],
)
def test_a_daemon_whose_code_was_replaced_is_outdated(state, place, stamp, outdated):
    ours = Path(browse.__file__).parent / "daemon"
    told = _where.installed() if stamp == "the same" else stamp
    where = str(ours) if place == "ours" else "/opt/browse/daemon"
    write_state(state, 4100, serverPath=where, binaryInstalled=told)

    daemon = endpoint.living(str(state))

    assert daemon
    assert daemon.outdated is outdated
