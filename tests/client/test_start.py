"""Starting a daemon: one, detached, with its log; and every way in which it can fail to come."""

import ast
import fcntl
import os
import signal
import subprocess
import sys

import pytest

from browse.client import start
from browse.client.wire import Failure
from client.conftest import await_true


def log_of(project) -> str:
    return (project.state.parent / "browse-daemon.log").read_text()


def test_the_first_command_starts_a_daemon_and_the_second_uses_it(project):
    first = project.run("goto", "http://a/", child="serve")
    second = project.run("url", child="serve")

    (pid,) = project.children
    assert first.stderr == b"[browse] Starting the daemon...\n"
    assert first.stdout.decode() == f"{pid} ['goto', 'http://a/']\n"
    assert (second.stdout.decode(), second.stderr) == (f"{pid} ['url']\n", b"")


def test_ten_cold_clients_start_one_daemon(project):
    clients = [project.popen("url", child="serve") for _ in range(10)]
    for client in clients:
        client.communicate(timeout=150)

    assert [client.returncode for client in clients] == [0] * 10
    assert len(project.children) == 1


def test_a_client_that_comes_second_waits_and_says_so(project):
    with project.popen("url", child="slow") as first:
        assert first.stderr.readline() == b"[browse] Starting the daemon...\n"
        with project.popen("text", child="serve", locks__PATIENCE_SECONDS=0) as second:
            told = b"[browse] Another client is starting the daemon, waiting...\n"
            assert second.stderr.readline() == told
            (project.state.parent / "go").touch()
            assert second.wait(150) == 0
        assert first.wait(150) == 0

    assert len(project.children) == 1


def test_a_system_without_sessions_in_spawn_is_served_too(project):
    code = (
        f"import os, sys; sys.path.insert(0, {str(project.boot.parents[2])!r})\n"
        "def missing(*_, **__): raise NotImplementedError\n"
        "os.posix_spawn = missing\n"
        "from browse.client import main, start\n"
        f"start.COMMAND = {project.child('facts')!r}\n"
        "sys.argv[1:] = ['url']\n"
        "sys.exit(main.main())"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=project.folder, capture_output=True
    )

    assert done.returncode == 0, done.stderr
    told = ast.literal_eval((project.state.parent / "facts").read_text())
    assert (told["session"], told["fds"], told["stdin"]) == (True, [], "/dev/null")


def test_the_state_folder_is_private_and_ignored_by_git(project):
    project.run("url", child="serve")

    folder = project.state.parent
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / ".gitignore").read_text().startswith("/*\n")
    assert (folder / "browse-daemon.log").stat().st_mode & 0o777 == 0o600
    assert (folder / "browse.json.lock").stat().st_mode & 0o777 == 0o600


def test_a_folder_of_another_name_gets_no_gitignore(project, tmp_path):
    project.state = tmp_path / "deep/own/state.json"
    project.env["BROWSE_STATE_FILE"] = str(project.state)

    done = project.run("url", child="serve")

    assert done.returncode == 0
    assert not (project.state.parent / ".gitignore").exists()


def test_the_daemon_is_detached_and_inherits_nothing(project):
    extra = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(extra, True)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        done = subprocess.run(
            project.command("url", child="facts"),
            cwd=project.folder, env=project.env, close_fds=False, restore_signals=False,
            capture_output=True,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.close(extra)

    assert done.returncode == 0
    told = ast.literal_eval((project.state.parent / "facts").read_text())
    assert told == {
        "cwd": str(project.folder),
        "session": True,
        "fds": [],
        "stdin": "/dev/null",
        "stdout": str(project.state.parent / "browse-daemon.log"),
        "term": True,
    }


def test_the_daemon_runs_in_the_project_and_the_command_where_it_was_typed(project):
    inside = project.folder / "inside"
    inside.mkdir()

    subprocess.run(project.command("url", child="facts"), cwd=inside, env=project.env, check=True)

    told = ast.literal_eval((project.state.parent / "facts").read_text())
    assert told["cwd"] == str(project.folder)


def test_a_daemon_that_dies_shows_its_last_words(project):
    project.state.parent.mkdir()
    (project.state.parent / "browse-daemon.log").write_text("words of an earlier daemon\n")

    done = project.run("url", child="dies")

    assert done.returncode == 6
    lines = done.stderr.decode().splitlines()
    assert lines[1] == "[browse] The daemon ended before it was ready. Its last words:"
    shown = [line for line in lines if "trouble line" in line]
    assert shown == [f"[browse]   trouble line {number}" for number in range(10, 30)]
    assert "earlier" not in done.stderr.decode()
    assert lines[-1].endswith(str(project.state.parent / "browse-daemon.log"))


def test_a_daemon_that_says_why_is_quoted_with_its_exit_code(project):
    done = project.run("url", child="reports_error")

    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "[browse] Starting the daemon...",
        "[browse] No usable Chromium was found.",
        "[browse] Type `browse install` to get one.",
    ]


def test_a_slow_start_is_left_running(project):
    project.env["BROWSE_START_TIMEOUT"] = "300"

    done = project.run("url", child="never_ready")

    assert done.returncode == 6
    lines = done.stderr.decode().splitlines()
    assert "did not answer within 0.3 s" in lines[1]
    assert "BROWSE_START_TIMEOUT" in lines[2]
    assert lines[3].endswith("browse-daemon.log")


def test_a_start_that_comes_on_is_waited_for(project):
    with project.popen("url", child="steps") as client:
        assert client.stderr.readline() == b"[browse] Starting the daemon...\n"
        signed = project.state.parent / "browse.json.lock"
        for number in range(4):
            await_true(lambda text=f"{client.pid}\n{number + 1}\n": signed.read_text() == text)
            (project.state.parent / f"go{number}").touch()
        client.communicate(timeout=150)

    assert client.returncode == 0


def test_a_client_that_was_held_up_itself_still_hears_the_daemon(project):
    reading, writing = os.pipe()
    os.write(writing, b"step\n")
    steps = []

    def on_step() -> None:
        steps.append(1)
        os.write(writing, b"ready\n")

    start._await_ready(reading, str(project.state), 0, 0.0, on_step)

    os.close(reading)
    os.close(writing)
    assert steps == [1]


def test_a_daemon_that_finds_another_is_not_an_error(project):
    done = project.run("url", child="finds_another")

    assert done.returncode == 0
    assert done.stdout.decode() == f"{project.children[1]} ['url']\n"


def test_a_daemon_that_is_gone_when_it_is_looked_for_is_started_again(project):
    done = project.run("url", child="ready_and_gone")

    assert done.returncode == 0
    assert done.stdout.decode() == f"{project.children[2]} ['url']\n"


def test_daemons_that_are_always_gone_are_given_up(project):
    done = project.run("url", child="ready_and_gone", start__MAX_STARTS=2)

    assert done.returncode == 6
    assert b"2 daemons in a row ended as soon as they were ready." in done.stderr


def test_a_program_that_cannot_be_run_is_told(project):
    done = project.run("url", start__COMMAND=["/nonexistent/python"])

    assert done.returncode == 6
    assert b"Cannot start the daemon: No such file or directory" in done.stderr


def test_a_large_log_is_turned_over_once(project):
    project.state.parent.mkdir()
    log = project.state.parent / "browse-daemon.log"
    with log.open("wb") as file:
        file.truncate(start.ROTATE_BYTES + 1)

    project.run("url", child="serve")

    assert (project.state.parent / "browse-daemon.log.1").stat().st_size == start.ROTATE_BYTES + 1
    assert log.stat().st_size == 0


def test_a_log_that_is_a_link_is_not_followed(project):
    project.state.parent.mkdir()
    target = project.folder / "precious"
    target.write_text("mine")
    (project.state.parent / "browse-daemon.log").symlink_to(target)

    done = project.run("url", child="serve")

    assert done.returncode == 6
    assert b"Cannot write the daemon's log" in done.stderr
    assert target.read_text() == "mine"


def test_a_damaged_state_without_a_daemon_is_replaced_silently(project):
    project.state.parent.mkdir()
    project.state.write_text('{"pid": 1')

    done = project.run("url", child="serve")

    assert done.returncode == 0
    assert done.stderr == b"[browse] Starting the daemon...\n"


def test_a_damaged_state_of_a_running_daemon_is_an_error(project):
    first = project.run("url", child="loses_state")
    second = project.run("url", child="serve")

    (pid,) = project.children
    assert first.returncode == 6
    assert second.returncode == 6
    assert second.stderr.decode().splitlines() == [
        f"[browse] A daemon (pid {pid}) is running but its state file {project.state} is damaged.",
        "[browse] Type `browse --force-restart status` to replace it"
        " (its tabs, cookies and logins are discarded).",
    ]


def test_a_daemon_that_serves_without_a_state_file_is_told(project):
    project.run("url", child="serve")
    project.state.unlink()

    done = project.run("url", child="serve")

    assert done.returncode == 6
    assert b"is missing" in done.stderr
    assert len(project.children) == 1


def test_a_lock_held_by_an_unknown_process_names_the_lock(project):
    project.state.parent.mkdir()
    lock = project.state.parent / "browse-daemon.lock"
    with lock.open("w") as held:
        held.write("1\n")
        held.flush()
        fcntl.flock(held, fcntl.LOCK_EX)
        done = project.run("url", child="serve", settle__LEAVING_SECONDS=0.05)

    assert done.returncode == 6
    assert b"pid unknown" in done.stderr
    assert f"fuser {lock}" in done.stderr.decode()


@pytest.mark.parametrize("where", ["link", "folder"])
def test_an_unusable_state_is_left_alone(project, where):
    project.state.parent.mkdir()
    if where == "link":
        project.state.symlink_to("elsewhere")
    else:
        project.state.mkdir()

    done = project.run("url", child="serve")

    assert done.returncode == 6
    assert str(project.state).encode() in done.stderr
    assert project.children == []
    assert project.state.is_symlink() or project.state.is_dir()


@pytest.mark.parametrize("word", ["abc", "0", "-5", "1.5", "²", "999999999"])
def test_a_bad_budget_is_a_clear_error(monkeypatch, word):
    monkeypatch.setenv("BROWSE_START_TIMEOUT", word)

    with pytest.raises(Failure, match="BROWSE_START_TIMEOUT") as caught:
        start.budget_seconds()
    assert caught.value.code == 6


@pytest.mark.parametrize(
    ("word", "ci", "seconds"), [("", "", 15), ("", "1", 30), ("2500", "1", 2.5)]
)
def test_the_budget_comes_from_the_environment(monkeypatch, word, ci, seconds):
    monkeypatch.setenv("BROWSE_START_TIMEOUT", word)
    monkeypatch.setenv("CI", ci)

    assert start.budget_seconds() == seconds


def test_the_daemon_is_a_module_of_this_interpreter():
    program, *words = start.COMMAND

    assert program == sys.executable
    assert words == ["-I", "-m", "browse.daemon"]
