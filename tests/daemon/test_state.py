"""The state file, as clients read it."""

import json
import os
import stat

import pytest

import browse
from browse import _where
from browse.daemon import state

TOKEN = "token-of-these-tests"
STARTED = "2026-01-31T10:00:00.000Z"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "browse.json"


def test_clients_find_the_daemon_by_it(path):
    state.publish(path, port=12_345, token=TOKEN, started=STARTED)

    found = _where.read_state(str(path))

    assert found
    assert (found["port"], found["token"], found["pid"]) == ("12345", TOKEN, str(os.getpid()))
    assert found["binaryVersion"] == browse.__version__
    assert _where.daemon_lives(found)


def test_other_programs_read_it_as_json(path):
    state.publish(path, port=12_345, token=TOKEN, started=STARTED)

    assert json.loads(path.read_text()).keys() == {
        "pid", "port", "token", "startedAt", "serverPath", "binaryVersion", "binaryInstalled",
        "mode", "pidStart",
    }  # fmt: skip


def test_only_its_owner_can_read_it(path):
    state.publish(path, port=1, token=TOKEN, started=STARTED)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("token", ['quote"and\\slash-0123', "{}:,[]'`$!#%&*+-=?@"])
def test_any_token_comes_back_as_it_is(path, token):
    state.publish(path, port=1, token=token, started=STARTED)

    found = _where.read_state(str(path))

    assert found
    assert found["token"] == token


def test_our_own_state_is_withdrawn(path):
    state.publish(path, port=1, token=TOKEN, started=STARTED)

    state.withdraw(path)

    assert not path.exists()


def test_the_state_of_a_successor_is_left_alone(path):
    state.publish(path, port=1, token=TOKEN, started=STARTED)
    path.write_text(path.read_text().replace(f'"pid": {os.getpid()}', '"pid": 1'))

    state.withdraw(path)

    assert path.exists()


@pytest.mark.parametrize("content", [None, "", "{", "garbage"], ids=["none", "empty", "cut", "odd"])
def test_what_is_no_state_is_left_alone(path, content):
    if content is not None:
        path.write_text(content)

    state.withdraw(path)

    assert path.exists() is (content is not None)


def test_a_fact_that_changes_is_written_again(path):
    file = state.StateFile(path, port=1, token=TOKEN, started=STARTED)

    file.publish()
    file.publish(mode="headed")
    file.publish(tunnel={"url": "https://x.test", "since": STARTED, "port": 2})

    found = json.loads(path.read_text())
    assert (found["mode"], found["tunnelLocalPort"]) == ("headed", 2)
