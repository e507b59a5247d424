"""Ending a daemon: politely, by force, or when there is none to end."""

import os
import signal
from pathlib import Path

import pytest

from browse import _where
from support.fake_daemon import FakeDaemon, rejects, says, write_state


def test_stop_without_a_state_says_so_and_makes_nothing(project):
    done = project.run("stop")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "No daemon running — nothing to stop.\n"
    assert not project.state.parent.exists()


def test_stop_cleans_the_state_of_a_dead_daemon(project, dead_pid):
    write_state(project.state, 4100, pid=dead_pid, pidStart="3")

    done = project.run("stop")

    assert done.returncode == 0
    cleaned = "No daemon running (cleaned stale state) — nothing to stop.\n"
    assert done.stdout.decode() == cleaned
    assert not project.state.exists()


def test_stop_cleans_a_damaged_state(project):
    project.state.parent.mkdir()
    project.state.write_text("{")

    done = project.run("stop")

    assert done.returncode == 0
    assert not project.state.exists()


def test_stop_leaves_a_daemon_alone_that_another_client_has_just_started(project):
    project.state.parent.mkdir(mode=0o700)
    Path(_where.beside(str(project.state), _where.DAEMON_LOCK)).touch()  # of the one before
    with project.popen("url", child="slow") as first:
        assert first.stderr.readline() == b"[browse] Starting the daemon...\n"
        with project.popen("stop", locks__PATIENCE_SECONDS=0) as second:
            assert b"Another client is starting" in second.stderr.readline()
            (project.state.parent / "go").touch()
            out, err = second.communicate(timeout=150)
        assert first.wait(150) == 0

    assert (second.returncode, err) == (0, b"")
    assert out == b"Daemon already stopped; another client has started a new one.\n"
    assert project.state.exists()


def test_stop_leaves_a_link_alone(project):
    project.state.parent.mkdir()
    project.state.symlink_to("elsewhere")

    assert project.run("stop").returncode == 6
    assert project.state.is_symlink()


def test_stop_returns_when_the_daemon_is_gone(project):
    project.run("url", child="serve")

    done = project.run("stop")

    assert (done.returncode, done.stdout) == (0, b"Daemon stopped.\n")
    assert _where.pid_start(project.children[0]) == ""
    assert not project.state.exists()


def test_stop_of_a_daemon_that_ends_without_a_word_succeeds(project):
    project.run("url", child="dies_when_asked_to_stop")

    done = project.run("stop")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == "Daemon already stopped (cleaned stale state).\n"
    assert not project.state.exists()


@pytest.mark.parametrize(
    ("child", "words"),
    [("dies_when_asked_to_stop", []), ("serve", ["--force-restart"])],
)
def test_a_stop_forgets_the_options_however_the_daemon_ends(project, child, words):
    project.run("url", child=child)
    options = project.state.with_name(_where.OPTIONS_NOTE)
    options.write_text("proxy=socks5://127.0.0.1:1080")

    assert project.run("stop", *words, child=child).returncode == 0
    assert not options.exists()


def test_a_stop_that_is_refused_is_told(project):
    with FakeDaemon(project.state, rejects(403, error="Not you.", hint="Ask.")):
        done = project.run("stop")

    assert (done.returncode, done.stderr) == (4, b"[browse] Not you.\n[browse] Ask.\n")


def test_a_stop_that_fails_keeps_its_exit_code(project):
    with FakeDaemon(project.state, says(b"", b"no\n", 1)):
        assert project.run("stop").returncode == 1


def test_a_stop_that_has_no_effect_is_busy(project):
    with FakeDaemon(project.state, says(b"stopping\n")):
        done = project.run("stop", recover__GONE_SECONDS=0.05)

    assert done.returncode == 6
    assert b"has not ended" in done.stderr


def test_stop_of_a_daemon_whose_state_is_damaged_is_an_error(project):
    project.run("url", child="loses_state")

    done = project.run("stop")

    assert done.returncode == 6
    assert b"is damaged" in done.stderr
    assert _where.pid_start(project.children[0])


def test_force_restart_replaces_a_living_daemon(project):
    project.run("url", child="serve")

    done = project.run("text", "--force-restart", "-x", child="serve")

    old, new = project.children
    assert done.stdout.decode() == f"{new} ['text', '-x']\n"
    assert done.stderr.decode().splitlines() == [
        f"[browse] Ending the daemon (pid {old}): its tabs, cookies and logins are discarded.",
        "[browse] Starting the daemon...",
    ]
    assert _where.pid_start(old) == ""


def test_force_restart_kills_what_does_not_hear_term(project):
    project.run("url", child="deaf_to_term")

    done = project.run("--force-restart", "url", child="serve", stop__TERM_SECONDS=0.05)

    old, new = project.children
    assert done.stdout.decode() == f"{new} ['url']\n"
    assert _where.pid_start(old) == ""


def test_force_restart_finds_a_daemon_with_a_damaged_state_by_its_lock(project):
    project.run("url", child="loses_state")

    done = project.run("--force-restart", "url", child="serve")

    old, new = project.children
    assert done.stdout.decode() == f"{new} ['url']\n"
    assert _where.pid_start(old) == ""


def test_force_restart_without_a_daemon_just_starts_one(project):
    done = project.run("url", "--force-restart", child="serve")

    assert done.stdout.decode() == f"{project.children[0]} ['url']\n"
    assert done.stderr == b"[browse] Starting the daemon...\n"


def test_force_restart_signals_no_stranger_that_has_the_pid(project):
    write_state(project.state, 4100, pid=os.getpid(), pidStart="1")
    heard = []
    signal.signal(signal.SIGTERM, lambda *_: heard.append(1))
    try:
        done = project.run("--force-restart", "url", child="serve")
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    assert done.returncode == 0
    assert heard == []


def test_stop_by_force_kills_only(project):
    project.run("url", child="serve")

    done = project.run("stop", "--force-restart", child="serve")

    assert done.returncode == 0
    assert done.stdout.decode() == "Daemon stopped (forced — tabs/cookies/logins discarded).\n"
    assert len(project.children) == 1
    assert _where.pid_start(project.children[0]) == ""
    assert not project.state.exists()


def test_stop_by_force_without_a_daemon(project):
    done = project.run("stop", "--force-restart")

    assert done.stdout.decode() == "No daemon running — nothing to stop.\n"


@pytest.mark.parametrize("words", [["restart"], ["restart", "--force-restart"]])
def test_restart_gives_a_new_daemon(project, words):
    project.run("url", child="serve")

    done = project.run(*words, child="serve")

    old, new = project.children
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[-1] == f"Restarted (pid {new})"
    assert _where.pid_start(old) == ""
    assert _where.pid_start(new)


def test_restart_without_a_daemon_starts_one(project):
    done = project.run("restart", child="serve")

    assert done.stdout.decode() == f"Restarted (pid {project.children[0]})\n"


def test_restart_of_a_daemon_that_dies_at_once_still_restarts(project):
    project.run("url", child="dies_when_asked_to_stop")

    done = project.run("restart", child="serve")

    assert done.stdout.decode() == f"Restarted (pid {project.children[1]})\n"


def test_a_restart_that_fails_keeps_its_exit_code(project):
    with FakeDaemon(project.state, says(b"", b"no\n", 4)):
        assert project.run("restart").returncode == 4


def test_a_restart_that_has_no_effect_is_busy(project):
    with FakeDaemon(project.state, says(b"...\n")):
        done = project.run("restart", recover__GONE_SECONDS=0.05)

    assert done.returncode == 6
    assert b"was asked to restart" in done.stderr
