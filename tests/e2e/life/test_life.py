"""How a daemon comes to be, serves, and ends, in the ordinary course of things."""

import json
import os
import re
import signal
import stat
import subprocess
from pathlib import Path

import psutil
import pytest

import browse
from support.cli import CALL_S, CLIENT, ask_each, until, words_of
from support.life import (
    assert_clear,
    driver,
    lives,
    of_project,
    own_daemon,
    post,
    see_gone,
    see_none,
    starts,
)

pytestmark = pytest.mark.e2e
CLIENTS = 10


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_command_starts_a_daemon_and_the_others_use_it(project):
    first = project.ok("url")

    state, folder = project.state(), project.state_file.parent
    assert "Starting the daemon..." in first.err
    assert set(state) == {
        "pid", "port", "token", "startedAt", "serverPath", "binaryVersion",
        "binaryInstalled", "mode", "pidStart",
    }  # fmt: skip
    assert state["binaryVersion"] == browse.__version__
    assert state["mode"] == "launched"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", state["startedAt"])
    assert mode(folder) == 0o700
    assert {path.name: mode(path) for path in folder.iterdir()} == {
        "browse.json": 0o600,
        "browse.json.lock": 0o600,
        "browse-daemon.lock": 0o600,
        "browse-daemon.log": 0o600,
        "browse-scratch": 0o600,
        ".gitignore": 0o600,
    }
    assert (folder / ".gitignore").read_text().splitlines()[0] == "/*"

    second = project.ok("url")

    assert second.err == ""
    assert project.state() == state
    assert project.ok("status", "--json").json["pid"] == state["pid"]
    assert starts(project) == 1
    assert state["token"] not in project.log


def test_stop_ends_the_daemon_and_all_that_it_started(lasting):
    lasting.ok("newtab")
    family = lasting.family()
    assert len(family) > 3  # the daemon, the driver, Chromium and its helpers

    assert lasting.ok("stop").out == "Server stopped\n"
    assert not lives(family[0])
    see_gone(family)
    see_none(lasting)
    assert not lasting.state_file.exists()
    assert list(Path(lasting.env["TMPDIR"]).iterdir()) == []

    assert "nothing to stop" in lasting.ok("stop").out
    assert "not running" in lasting.ok("status").out
    assert not of_project(lasting)


def test_stop_and_status_on_a_project_that_never_had_a_daemon(project):
    assert "nothing to stop" in project.ok("stop").out
    assert "not running" in project.ok("status").out
    assert project.ok("status", "--json").json == {"status": "not running"}

    assert not project.state_file.parent.exists()
    assert not of_project(project)


def test_ten_clients_at_once_start_one_daemon(lasting):
    lasting.ok("stop")
    begun = starts(lasting)

    clients = [lasting.start("url", "--json") for _ in range(CLIENTS)]
    ends = [client.communicate(timeout=150) for client in clients]

    assert [client.returncode for client in clients] == [0] * CLIENTS, ends
    assert all(json.loads(out)["page"]["url"] == "about:blank" for out, _ in ends)
    assert sum(b"Starting the daemon" in err for _, err in ends) == 1
    assert starts(lasting) == begun + 1
    assert f"pid {lasting.state()['pid']}" in lasting.log


def test_two_stops_and_a_command_at_once_all_succeed(lasting):
    lasting.ok("url")
    clients = [lasting.start(word) for word in ("stop", "stop", "url")]
    ends = [client.communicate(timeout=150) for client in clients]

    assert [client.returncode for client in clients] == [0, 0, 0], ends


@pytest.mark.parametrize("words", [["url"], ["restart"]])
def test_a_client_that_is_killed_as_it_starts_a_daemon_is_no_obstacle(lasting, words):
    lasting.ok("stop")
    client = lasting.start(*words)
    assert b"Starting the daemon" in client.stderr.readline()
    client.kill()  # its daemon goes on, and has not even taken its lock
    client.communicate()

    assert lasting.ok("url").page == "about:blank"

    until(lambda: len(daemons(lasting)) == 1, what="one daemon")
    assert daemons(lasting) == [lasting.daemon()]


def test_a_status_while_a_daemon_starts_tells_so_and_changes_nothing(lasting):
    lasting.ok("stop")
    begun = starts(lasting)
    client = lasting.start("url")
    assert b"Starting the daemon" in client.stderr.readline()

    shown = lasting.ok("status", "--json").json

    client.communicate(timeout=150)
    assert shown["status"] in ("starting", "healthy")  # as far as it had come by then
    assert client.returncode == 0
    assert starts(lasting) == begun + 1


def daemons(project):
    lines = ask_each(of_project(project), words_of).items()
    return [it for it, words in lines if "browse.daemon" in words]


def test_a_signal_ends_the_daemon_in_good_order(project):
    child = own_daemon(project)
    project.ok("newtab")

    see_a_signal_end_it(project, child, signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_other_signals_do_so_too(project, number):
    child = own_daemon(project, BROWSE_HEADLESS_SKIP="1")

    see_a_signal_end_it(project, child, number)


def see_a_signal_end_it(project, child, number) -> None:
    family = project.family()
    child.send_signal(number)

    assert child.wait(timeout=150) == 0
    see_gone(family)
    see_none(project)
    assert not project.state_file.exists()
    assert f"stopping: signal {number.name}" in project.log


def test_a_signal_during_the_start_leaves_nothing(project):
    child = own_daemon(project)
    until(lambda: driver(project))

    child.send_signal(signal.SIGTERM)

    assert child.wait(timeout=150) == 0
    see_none(project)
    assert not project.state_file.exists()


def test_an_idle_daemon_ends_by_itself_but_not_while_a_command_runs(project):
    project.ok("wait", "1500", BROWSE_IDLE_TIMEOUT="500")

    assert starts(project) == 1
    see_none(project)
    assert not project.state_file.exists()
    assert "stopping: idle for 0.5 s" in project.log


def test_a_daemon_of_another_version_is_replaced(lasting):
    lasting.ok("url")
    old = lasting.family()
    lasting.state_file.write_text(
        lasting.state_file.read_text().replace(browse.__version__, "0.0.1")
    )

    assert lasting.ok("status", "--json").json["pid"] == old[0].pid
    ran = lasting.ok("url")

    assert f"Version changed (0.0.1 → {browse.__version__}): restarting" in ran.err
    assert lasting.state()["pid"] != old[0].pid
    assert lasting.state()["binaryVersion"] == browse.__version__
    see_gone(old)


def test_each_project_has_its_own_daemon(lasting, browser):
    lasting.ok("url")
    browser.ok("url")
    other = browser.daemon()

    assert lasting.state()["pid"] != other.pid
    lasting.ok("stop")
    assert lives(other)


def test_a_folder_below_the_root_uses_the_daemon_of_the_root(browser):
    begun = starts(browser)
    below = browser.root / "one" / "two"
    below.mkdir(parents=True)

    browser.ok("url", cwd=below)

    assert starts(browser) == begun
    assert not (below / ".gstack").exists()


def test_a_folder_without_git_has_its_own_daemon(project):
    alone = project.root.parent / "alone"
    alone.mkdir()
    project.env["BROWSE_HEADLESS_SKIP"] = "1"

    try:
        project.browse("url", cwd=alone)
        assert (alone / ".gstack" / "browse.json").exists()
        assert not project.state_file.exists()
    finally:
        project.ok("stop", cwd=alone)
    see_none(project)


def test_the_state_file_can_be_chosen(project):
    chosen = project.root.parent / "elsewhere" / "state.json"
    project.env["BROWSE_HEADLESS_SKIP"] = "1"

    try:
        project.browse("url", BROWSE_STATE_FILE=str(chosen))
        pid = json.loads(chosen.read_text())["pid"]
        below = project.ok(
            "status", "--json", cwd=project.root.parent, BROWSE_STATE_FILE=str(chosen)
        )
        assert below.json["pid"] == pid
        assert not project.state_file.parent.exists()
    finally:
        project.ok("stop", BROWSE_STATE_FILE=str(chosen))
    see_none(project)
    assert not chosen.exists()


def test_a_caller_can_forbid_the_start(project):
    ran = project.browse("url", BROWSE_NO_AUTOSTART="1")

    assert_clear(ran, 6, "BROWSE_NO_AUTOSTART=1")
    assert not of_project(project)


def test_health_needs_no_token_and_a_command_does(lasting):
    lasting.ok("url")
    port = lasting.state()["port"]
    lasting.state_file.write_text(
        lasting.state_file.read_text().replace(lasting.state()["token"], "x" * 36)
    )

    status, body = post(lasting, {"command": "url"})

    assert lasting.ask("GET", "/health", authorization="")[0] == 200
    assert (status, json.loads(body)["code"]) == (401, "unauthenticated")
    assert_clear(lasting.browse("url"), 4, "does not accept the token", "--force-restart")
    assert lasting.browse("--force-restart", "url").code == 0
    assert lasting.state()["port"] != port


def test_the_daemon_keeps_no_descriptor_of_the_shell_that_started_it(lasting, tmp_path):
    lasting.ok("stop")
    held = os.open(tmp_path / "held", os.O_CREAT | os.O_RDWR)
    try:
        subprocess.run(
            [*CLIENT, "url"],
            cwd=lasting.root,
            env=lasting.env,
            pass_fds=[held],
            capture_output=True,
            timeout=CALL_S,
            check=True,
        )
        held_files = ask_each(lasting.family(), psutil.Process.open_files).values()
        names = [file.path for files in held_files for file in files]
    finally:
        os.close(held)

    assert str(tmp_path / "held") not in names
