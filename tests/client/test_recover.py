"""What the client does and says when the conversation breaks: never twice, never a kill."""

import threading

import pytest

import browse
from support.fake_daemon import (
    FRAMES_HEAD,
    FakeDaemon,
    rejects,
    says,
    sends,
    waits_for,
    write_state,
)


def test_silence_of_a_living_daemon_is_reported_as_busy(project):
    done = threading.Event()

    with FakeDaemon(project.state, waits_for(done)) as daemon:
        ended = project.run("goto", "http://a/", wire__SILENCE_SECONDS=0.05)
        done.set()

    assert ended.returncode == 6
    lines = ended.stderr.decode().splitlines()
    assert "is alive, but has sent nothing for 0.05 s." in lines[0]
    assert "may still be running" in lines[1]
    assert "browse status" in lines[2]
    assert "browse --force-restart <command>" in lines[2]
    assert len(daemon.requests) == 1


def test_a_lost_connection_to_a_living_daemon_is_not_sent_again(project):
    with FakeDaemon(project.state, sends(FRAMES_HEAD + b"1 4\nhalf")) as daemon:
        ended = project.run("goto", "http://a/", recover__DYING_SECONDS=0.05)

    assert ended.returncode == 6
    assert ended.stdout == b"half\n"
    assert b"closed the connection before the command had ended" in ended.stderr
    assert len(daemon.requests) == 1


def test_a_changed_token_is_taken_up_once(project):
    def script(peer, request):
        write_state(project.state, daemon.port, token="the-new-token")
        rejects(401, error="no")(peer, request)

    daemon = FakeDaemon(project.state, script, says(b"in\n"), token="the-old-token")
    with daemon:
        ended = project.run("url")

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"in\n", b"")
    sent = [request.headers["authorization"] for request in daemon.requests]
    assert sent == ["Bearer the-old-token", "Bearer the-new-token"]


def test_a_refused_token_that_did_not_change_is_told(project):
    with FakeDaemon(project.state, rejects(401, error="no")) as daemon:
        ended = project.run("url")

    assert ended.returncode == 4
    assert b"does not accept the token" in ended.stderr
    assert len(daemon.requests) == 1


@pytest.mark.parametrize(("status", "code"), [(400, 2), (403, 4), (413, 2), (500, 1), (503, 6)])
def test_an_error_reply_is_printed_with_its_hint(project, status, code):
    with FakeDaemon(project.state, rejects(status, error="Wrong.\nTwice.", hint="Type x.")):
        ended = project.run("url")

    assert ended.returncode == code
    assert ended.stderr == b"[browse] Wrong.\n[browse] Twice.\n[browse] Type x.\n"
    assert ended.stdout == b""


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b'{"error": 5}', b"\xff"])
def test_an_error_reply_that_is_no_json_is_told_by_its_status(project, body):
    with FakeDaemon(project.state, sends(b"HTTP/1.1 500 Oops\r\n\r\n" + body)):
        ended = project.run("url")

    assert ended.returncode == 1
    assert ended.stderr == b"[browse] The daemon answered with HTTP status 500.\n"


def test_a_daemon_that_dies_under_the_command_is_not_asked_twice(project):
    ended = project.run("goto", "http://a/", child="dies_when_asked")

    assert ended.returncode == 6
    lines = ended.stderr.decode().splitlines()
    assert "ended while the command ran" in lines[1]
    assert "tabs are gone" in lines[2]
    assert str(project.state.parent / "browse-daemon.log") in lines[3]
    assert len(project.children) == 1


def test_a_dead_daemons_port_gets_nothing(project, dead_pid):
    with FakeDaemon(project.state, pid=dead_pid, pidStart="5") as stranger:
        ended = project.run("url", child="serve")

    assert ended.returncode == 0
    assert ended.stdout.decode() == f"{project.children[0]} ['url']\n"
    assert stranger.requests == []


def test_a_daemon_that_is_stopping_is_waited_for(project):
    first = project.run("url", child="stops_when_asked")
    second = project.run("url", child="serve")

    assert first.returncode == 0, first.stderr
    assert second.returncode == 0
    assert len(project.children) == 2


def test_a_living_daemon_that_does_not_listen_is_busy(project):
    with FakeDaemon(project.state):
        pass

    ended = project.run("url", recover__GONE_SECONDS=0.05)

    assert ended.returncode == 6
    assert b"does not accept connections" in ended.stderr


def test_another_version_is_replaced(project):
    first = project.run("url", child="old_version")
    second = project.run("url", child="serve")

    old, new = project.children
    assert first.stdout.decode() == f"{old} ['url']\n"
    assert second.stdout.decode() == f"{new} ['url']\n"
    assert second.stderr.decode().splitlines() == [
        f"[browse] Version changed (0.0.9 → {browse.__version__}): restarting the daemon...",
        "[browse] Starting the daemon...",
    ]


def test_another_version_that_does_not_end_is_busy_and_lives_on(project):
    with FakeDaemon(project.state, binaryVersion="0.0.9") as daemon:
        ended = project.run("url", recover__GONE_SECONDS=0.05)

    assert ended.returncode == 6
    assert ended.stdout == b""
    assert b"was asked to stop and has not ended" in ended.stderr
    assert [request.words for request in daemon.requests] == [["stop"]]


def test_another_version_in_which_a_person_has_a_tab_is_not_replaced(project):
    with FakeDaemon(project.state, says(b"", code=4), binaryVersion="0.0.9"):
        ended = project.run("url")

    assert ended.returncode == 4
    assert b"a person works in it" in ended.stderr
    assert b"browse restart --force" in ended.stderr


@pytest.mark.parametrize("switch", ["BROWSE_ONLY_READ", "BROWSE_NO_AUTOSTART"])
def test_another_version_stays_where_nothing_may_change_or_start(project, switch):
    project.env[switch] = "1"

    with FakeDaemon(project.state, binaryVersion="0.0.9") as daemon:
        ended = project.run("url")

    assert ended.returncode == 4
    assert switch.encode() in ended.stderr
    assert daemon.requests == []


def test_status_looks_at_another_version_without_replacing_it(project):
    with FakeDaemon(project.state, says(b"Status: healthy\n"), binaryVersion="0.0.9") as daemon:
        ended = project.run("status")

    assert ended.stdout == b"Status: healthy\n"
    assert [request.words for request in daemon.requests] == [["status"]]


def test_no_autostart_is_obeyed(project):
    project.env["BROWSE_NO_AUTOSTART"] = "1"

    ended = project.run("url", child="serve")

    assert ended.returncode == 6
    assert len(ended.stderr.splitlines()) == 2
    assert b"BROWSE_NO_AUTOSTART" in ended.stderr
    assert not project.state.parent.exists()
