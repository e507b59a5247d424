"""The state file: found, believed only when ours and whole, and tied to one process."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from browse import _where

GOOD = {"pid": 41, "port": 4100, "token": "abc", "pidStart": "7", "binaryVersion": "0.1.0"}


def written(path: Path, **changes: object) -> str:
    path.write_text(json.dumps({**GOOD, **changes}, indent=2))
    return str(path)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.delenv("BROWSE_STATE_FILE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_state_is_in_the_project_root(place, monkeypatch):
    (place / ".git").mkdir()
    (place / "a/b").mkdir(parents=True)
    monkeypatch.chdir(place / "a/b")

    assert _where.state_file() == f"{place}/.gstack/browse.json"


def test_a_git_file_marks_a_root_as_in_a_worktree(place, monkeypatch):
    (place / "tree").mkdir()
    (place / "tree/.git").write_text("gitdir: elsewhere")
    monkeypatch.chdir(place / "tree")

    assert _where.state_file() == f"{place}/tree/.gstack/browse.json"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_another_user_makes_no_project_of_a_folder_that_all_share(place, monkeypatch):
    place.chmod(0o1777)
    (place / ".git").mkdir()
    os.chown(place / ".git", 4242, 4242)
    (place / "mine").mkdir()

    assert _where.project_root(f"{place}/mine") == f"{place}/mine"
    os.chown(place / ".git", 0, 0)
    assert _where.project_root(f"{place}/mine") == str(place)


def test_without_git_the_current_folder_is_the_project(tmp_path):
    assert _where.project_root(str(tmp_path)) == str(tmp_path)


def test_state_file_variable_wins_and_becomes_absolute(place, monkeypatch):
    monkeypatch.setenv("BROWSE_STATE_FILE", "own/state.json")

    assert _where.state_file() == f"{place}/own/state.json"


def test_neighbours_share_the_folder():
    assert _where.beside("/p/.gstack/browse.json", "x.log") == "/p/.gstack/x.log"
    assert _where.start_lock("/p/.gstack/browse.json") == "/p/.gstack/browse.json.lock"


def test_reads_the_keys_of_real_json(tmp_path):
    state = _where.read_state(written(tmp_path / "s"))

    assert state == {key: str(value) for key, value in GOOD.items()}


@pytest.mark.parametrize("token", ['with"quote', "back\\slash", "é", "a: b", "end,"])
def test_reads_a_token_of_any_spelling(tmp_path, token):
    state = _where.read_state(written(tmp_path / "s", token=token))

    assert state is not None
    assert state["token"] == token


def test_reads_windows_paths_and_nested_values(tmp_path):
    path = tmp_path / "s"
    path.write_text('{\n"pid": 1,\n"port": 2,\n"token": "t",\n"serverPath": "C:\\\\x"\n}')

    assert _where.read_state(str(path)) == {
        "pid": "1",
        "port": "2",
        "token": "t",
        "serverPath": "C:\\x",
    }


def test_no_file_is_no_state(tmp_path):
    assert _where.read_state(str(tmp_path / "none/browse.json")) is None


def test_a_file_in_place_of_the_folder_is_no_state(tmp_path):
    (tmp_path / "f").write_text("")

    assert _where.read_state(str(tmp_path / "f/browse.json")) is None


def test_refuses_a_link(tmp_path):
    written(tmp_path / "real")
    (tmp_path / "s").symlink_to("real")

    with pytest.raises(_where.UnusableState, match="symbolic link"):
        _where.read_state(str(tmp_path / "s"))


def test_refuses_a_folder(tmp_path):
    with pytest.raises(_where.UnusableState, match="folder"):
        _where.read_state(str(tmp_path))


def test_refuses_a_fifo_without_waiting_for_its_writer(tmp_path):
    os.mkfifo(tmp_path / "s")

    with pytest.raises(_where.UnusableState, match="regular"):
        _where.read_state(str(tmp_path / "s"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_refuses_a_foreign_owner(tmp_path):
    path = written(tmp_path / "s")
    os.chown(path, 12345, 12345)

    with pytest.raises(_where.UnusableState, match="another user") as caught:
        _where.read_state(path)
    assert not isinstance(caught.value, _where.Damaged)


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_a_cut_off_file_is_damaged(tmp_path, cut):
    path = Path(written(tmp_path / "s"))
    path.write_text(path.read_text()[:cut])

    with pytest.raises(_where.Damaged):
        _where.read_state(str(path))


@pytest.mark.parametrize(
    "changes",
    [
        {"pid": 0},
        {"pid": -1},
        {"pid": "x"},
        {"pid": "²"},
        {"pid": 2**31},
        {"pid": 10**30},
        {"port": 0},
        {"port": 65_536},
        {"port": None},
        {"token": ""},
        {"token": "a\r\nX: y"},
    ],
)
def test_values_that_cannot_be_are_damage(tmp_path, changes):
    with pytest.raises(_where.Damaged):
        _where.read_state(written(tmp_path / "s", **changes))


def test_an_escape_that_is_not_json_is_damage():
    with pytest.raises(_where.Damaged):
        _where.parse_state('{\n"token": "\\x"\n}')


def test_compact_json_is_damaged_not_half_read(tmp_path):
    path = tmp_path / "s"
    path.write_text(json.dumps(GOOD))

    with pytest.raises(_where.Damaged):
        _where.read_state(str(path))


def test_this_process_lives():
    pid = os.getpid()

    assert _where.daemon_lives({"pid": str(pid), "pidStart": _where.pid_start(pid)})


@pytest.mark.parametrize("start", ["", "1", None])
def test_a_reused_pid_is_not_the_daemon(start):
    state = {"pid": str(os.getpid())} | ({} if start is None else {"pidStart": start})

    assert not _where.daemon_lives(state)


def test_a_zombie_is_gone():
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        started = _where.pid_start(process.pid)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # ended, not yet reaped

        assert started
        assert not _where.daemon_lives({"pid": str(process.pid), "pidStart": started})


def test_a_reaped_process_is_gone():
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()

    assert _where.pid_start(process.pid) == ""


def test_the_nearest_git_counts_and_without_one_there_is_no_root(tmp_path):
    (tmp_path / "outer/inner/deep").mkdir(parents=True)
    (tmp_path / "outer/.git").mkdir()
    (tmp_path / "outer/inner/.git").mkdir()

    assert _where.git_root(f"{tmp_path}/outer/inner/deep") == f"{tmp_path}/outer/inner"
    assert _where.git_root(f"{tmp_path}/outer") == f"{tmp_path}/outer"
    assert _where.git_root(str(tmp_path)) == ""
    assert _where.git_root("") == ""
