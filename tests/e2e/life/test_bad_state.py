"""State files that must not be believed. Nothing that is not ours is signalled, written or told."""

import json
import os
import socket
import subprocess
import threading

import pytest

from support.cli import Project
from support.life import (
    NOBODY,
    assert_clear,
    is_root,
    lives,
    of_project,
    see_gone,
    see_none,
    starts,
)

pytestmark = pytest.mark.e2e


@pytest.fixture
def folder(project):
    project.state_file.parent.mkdir(mode=0o700)
    return project.state_file.parent


def stopped(project: Project) -> None:
    """Have no daemon, but the folder of one."""
    project.ok("stop")
    project.state_file.parent.mkdir(mode=0o700, exist_ok=True)


STALE = {"pid": 1, "port": 9, "token": "t" * 36, "pidStart": "1", "binaryVersion": "0.0.1"}


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"{",
        b"\xff\xfe\0\0",
        b"null",
        json.dumps(STALE).encode(),
        json.dumps({**STALE, "port": 0}, indent=2).encode(),
        json.dumps({**STALE, "pid": -1}, indent=2).encode(),
        json.dumps({**STALE, "token": "a\r\nb"}, indent=2).encode(),
    ],
    ids=["empty", "brace", "bytes", "null", "one-line", "no-port", "no-pid", "no-token"],
)
def test_a_damaged_state_file_is_cleaned_away(project, folder, words):
    project.state_file.write_bytes(words)

    assert "not running" in project.ok("status").out
    assert "cleaned stale state" in project.ok("stop").out
    assert not project.state_file.exists()


def test_a_truncated_state_file_is_replaced(lasting):
    stopped(lasting)
    begun = starts(lasting)
    lasting.state_file.write_bytes(json.dumps(STALE, indent=2).encode()[:-9])

    assert lasting.ok("url").page == "about:blank"
    assert starts(lasting) == begun + 1


def test_a_daemon_whose_state_file_is_damaged_is_not_lost(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    lasting.state_file.write_text("{")

    assert_clear(lasting.browse("url"), 6, f"pid {family[0].pid}", "is damaged", "--force-restart")
    assert_clear(lasting.browse("stop"), 6, f"pid {family[0].pid}")
    assert lives(family[0])

    assert lasting.ok("--force-restart", "url").page == "about:blank"
    see_gone(family)


def test_a_state_file_that_is_a_link_is_refused_and_its_target_is_left(project, folder, tmp_path):
    target = tmp_path / "precious"
    target.write_text("precious")
    project.state_file.symlink_to(target)

    for words in (["url"], ["stop"], ["--force-restart", "url"]):
        assert_clear(project.browse(*words), 6, "symbolic link", "rm ")
    assert target.read_text() == "precious"
    assert not of_project(project)


def test_a_state_file_that_is_a_folder_is_refused(project, folder):
    project.state_file.mkdir()

    ran = project.browse("url")

    project.state_file.rmdir()
    assert_clear(ran, 6, "it is a folder", "rm -r ")
    assert not of_project(project)


@pytest.mark.skipif(not is_root(), reason="only root can give a file away")
def test_a_state_file_of_another_user_is_refused(lasting):
    lasting.ok("url")
    os.chown(lasting.state_file, NOBODY, NOBODY)

    ran = lasting.browse("url")

    os.chown(lasting.state_file, 0, 0)
    assert_clear(ran, 6, "belongs to another user")


def test_the_pid_of_another_program_is_neither_believed_nor_signalled(lasting):
    stopped(lasting)
    begun = starts(lasting)
    with subprocess.Popen(["sleep", "600"]) as other:
        lasting.state_file.write_text(json.dumps({**STALE, "pid": other.pid}, indent=2))
        try:
            assert "nothing to stop" in lasting.ok("stop").out
            lasting.state_file.write_text(json.dumps({**STALE, "pid": other.pid}, indent=2))
            assert lasting.ok("--force-restart", "url").page == "about:blank"
            assert other.poll() is None
        finally:
            other.kill()
    assert starts(lasting) == begun + 1


def test_a_foreign_server_on_the_old_port_is_told_nothing(lasting):
    lasting.ok("url")
    port = lasting.state()["port"]
    family = lasting.family()
    lasting.daemon().kill()
    see_gone(family)
    heard: list[bytes] = []

    def listen(server: socket.socket) -> None:
        while True:
            try:
                peer, _ = server.accept()
            except OSError:
                return
            with peer:
                heard.append(peer.recv(65_536))

    with socket.create_server(("127.0.0.1", port)) as server:
        listener = threading.Thread(target=listen, args=(server,))
        listener.start()
        try:
            for words in (["status"], ["js", "'secret'"], ["stop"]):
                lasting.ok(*words)
        finally:
            server.shutdown(socket.SHUT_RDWR)
            listener.join()
    assert heard == []


def test_a_living_daemon_is_found_again_when_its_state_file_vanished(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    lasting.state_file.unlink()

    ran = lasting.browse("--force-restart", "url")

    assert_clear(ran, 0, f"Ending the daemon (pid {family[0].pid})")
    see_gone(family)


@pytest.mark.parametrize("name", ["browse.json.lock", "browse-daemon.lock", "browse-daemon.log"])
def test_a_link_in_place_of_our_other_files_is_refused(project, folder, tmp_path, name):
    target = tmp_path / "precious"
    target.write_text("precious")
    (folder / name).symlink_to(target)

    assert_clear(project.browse("url"), 6, name)
    assert target.read_text() == "precious"
    see_none(project)


def test_a_daemon_withdraws_only_its_own_state(project: Project):
    project.browse("url", BROWSE_HEADLESS_SKIP="1")
    family = project.family()
    successor = json.dumps({**STALE, "pid": os.getpid()}, indent=2)
    project.state_file.write_text(successor)

    project.daemon = lambda: family[0]  # type: ignore[method-assign]  # the state no longer tells
    family[0].terminate()
    see_gone(family)

    assert project.state_file.read_text() == successor
    project.state_file.unlink()
