"""A daemon that starts or ends is waited for; one that can do neither is told."""

import contextlib
import os
import subprocess

import pytest

from client.conftest import await_true


@pytest.fixture
def orphan(project):
    """A daemon whose client is gone: nobody holds the start lock."""
    project.state.parent.mkdir(mode=0o700)
    (project.state.parent / "browse.json.lock").touch()
    made = []

    def begin(manner: str) -> subprocess.Popen[bytes]:
        reading, writing = os.pipe()
        child = subprocess.Popen(
            project.child(manner),
            cwd=project.folder,
            env={**project.env, "BROWSE_STATE_FILE": str(project.state),
                 "BROWSE_READY_FD": str(writing)},
            pass_fds=[writing],
        )  # fmt: skip
        os.close(writing)
        made.append((child, reading))
        return child

    yield begin
    for child, reading in made:
        child.kill()
        child.wait()
        os.close(reading)


def has_lock(project, phase: str):
    """Wait until the daemon's lock says so."""
    lock = project.state.parent / "browse-daemon.lock"
    await_true(lambda: lock.exists() and phase in lock.read_text())


def go(project) -> None:
    (project.state.parent / "go").touch()


def test_a_daemon_that_starts_without_its_client_is_waited_for(project, orphan):
    child = orphan("starts_slowly")
    has_lock(project, "starting")

    with project.popen("url", child="serve", locks__PATIENCE_SECONDS=0) as client:
        told = f"[browse] The daemon (pid {child.pid}) is starting, waiting...\n"
        assert client.stderr.readline().decode() == told
        go(project)
        out, err = client.communicate(timeout=150)

    assert (client.returncode, out.decode(), err) == (0, f"{child.pid} ['url']\n", b"")
    assert project.children == [child.pid]


def test_a_caller_that_may_start_none_waits_for_one_that_starts(project, orphan):
    project.env["BROWSE_NO_AUTOSTART"] = "1"
    child = orphan("starts_slowly")
    has_lock(project, "starting")

    with project.popen("url", locks__PATIENCE_SECONDS=0) as client:
        assert b"is starting" in client.stderr.readline()
        go(project)
        out, _ = client.communicate(timeout=150)

    assert (client.returncode, out.decode()) == (0, f"{child.pid} ['url']\n")


def test_a_daemon_that_dies_as_it_starts_is_replaced(project, orphan):
    child = orphan("starts_slowly")
    has_lock(project, "starting")

    with project.popen("url", child="serve", locks__PATIENCE_SECONDS=0) as client:
        assert b"is starting" in client.stderr.readline()
        child.kill()
        out, _ = client.communicate(timeout=150)

    _, new = project.children
    assert (client.returncode, out.decode()) == (0, f"{new} ['url']\n")


def test_a_daemon_that_starts_for_too_long_is_told_and_left(project, orphan):
    project.env["BROWSE_START_TIMEOUT"] = "50"
    child = orphan("starts_slowly")
    has_lock(project, "starting")

    done = project.run("url", child="serve")

    assert done.returncode == 6
    said = done.stderr.decode().splitlines()
    assert said[0] == (
        f"[browse] The daemon (pid {child.pid}) has been starting for 0.05 s; it was left to go on."
    )
    assert "--force-restart" in said[1]
    assert child.poll() is None


def test_a_daemon_that_ends_is_waited_for_and_replaced(project, orphan):
    child = orphan("ends_slowly")
    has_lock(project, "serving")
    await_true(project.state.exists)
    (project.state.parent / "end").touch()
    has_lock(project, "ending")

    with project.popen("url", child="serve", locks__PATIENCE_SECONDS=0) as client:
        told = f"[browse] The daemon (pid {child.pid}) is ending, waiting...\n"
        assert client.stderr.readline().decode() == told
        go(project)
        out, _ = client.communicate(timeout=150)

    _, new = project.children
    assert (client.returncode, out.decode()) == (0, f"{new} ['url']\n")


def test_a_daemon_that_never_ends_is_told(project, orphan):
    child = orphan("ends_slowly")
    await_true(project.state.exists)
    (project.state.parent / "end").touch()
    has_lock(project, "ending")

    done = project.run("url", child="serve", settle__LEAVING_SECONDS=0.05)

    assert done.returncode == 6
    assert f"(pid {child.pid}) has been ending for 0.05 s".encode() in done.stderr


def test_a_lock_without_a_phase_is_waited_for(project, orphan):
    child = orphan("says_nothing_of_itself")
    has_lock(project, "")
    await_true(lambda: project.children == [child.pid])
    await_true(lambda: str(child.pid) in (project.state.parent / "browse-daemon.lock").read_text())

    told = project.run("url", child="serve", settle__LEAVING_SECONDS=0.05)
    with project.popen("url", child="serve") as client:
        go(project)
        out, _ = client.communicate(timeout=150)

    assert (told.returncode, b"is missing" in told.stderr) == (6, True)
    _, new = project.children
    assert (client.returncode, out.decode()) == (0, f"{new} ['url']\n")


def test_stop_ends_a_daemon_whose_start_nobody_waits_for(project, orphan):
    child = orphan("starts_slowly")
    has_lock(project, "starting")

    with project.popen("stop", locks__PATIENCE_SECONDS=0) as client:
        assert b"is starting" in client.stderr.readline()
        go(project)
        await_true(lambda: child.poll() is not None)  # our child: gone only once we have seen it
        out, err = client.communicate(timeout=150)

    assert (client.returncode, out, err) == (0, b"Daemon stopped.\n", b"")
    assert not project.state.exists()


@pytest.mark.parametrize(
    ("manner", "phase", "shown"),
    [("starts_slowly", "starting", "starting"), ("ends_slowly", "ending", "stopping")],
)
def test_status_tells_of_a_daemon_on_its_way(project, orphan, manner, phase, shown):
    child = orphan(manner)
    if phase == "ending":
        await_true(project.state.exists)
        (project.state.parent / "end").touch()
    has_lock(project, phase)

    plain, json = project.run("status"), project.run("status", "--json")

    assert (plain.returncode, plain.stderr) == (0, b"")
    lines = plain.stdout.decode().splitlines()
    assert lines[:2] == [f"Status: {shown}", f"PID: {child.pid}"]
    assert json.stdout.decode() == f'{{"status":"{shown}","pid":{child.pid}}}\n'
    assert project.children == [child.pid]


def test_status_tells_of_a_client_that_is_about_to_start_one(project):
    with project.popen("url", child="slow") as client:
        assert client.stderr.readline() == b"[browse] Starting the daemon...\n"
        shown = project.run("status", settle__GLANCE_SECONDS=0)
        go(project)
        client.communicate(timeout=150)

    assert shown.stdout.decode().splitlines()[:2] == ["Status: starting", f"PID: {client.pid}"]


def test_status_starts_nothing_when_the_daemon_has_just_gone(project, orphan):
    child = orphan("stops_when_asked")
    await_true(project.state.exists)
    first = project.run("url")
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(project.popen("status", child="serve"))
        await_true(lambda: child.poll() is not None)
        out, _ = client.communicate(timeout=150)

    assert (first.returncode, client.returncode) == (0, 0)
    assert out.startswith(b"Status: not running\n")
    assert project.children == [child.pid]
