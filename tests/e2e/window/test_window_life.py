"""A window that is lost is opened again, and one that a person closes is not."""

import signal

import psutil
import pytest

from support.cli import HANG_S, Project, ask_each, until
from support.life import own_daemon, see_gone, see_none
from support.window import in_window, needs_window, person

pytestmark = [pytest.mark.e2e, needs_window]


@pytest.mark.issue(16)
def test_a_lost_window_is_told_by_the_exit_code_and_opened_again(project: Project):
    daemon = own_daemon(project, BROWSE_HEADED="1")
    project.ok("status")
    first = in_window(project)
    until(lambda: "Tabs: 1" in project.ok("status").out, what="the window's first tab")
    family = project.family()

    first.kill()

    assert daemon.wait(HANG_S) == 2
    see_gone(family)
    again = project.ok("goto", "about:blank")
    assert "The window was lost" in again.err
    project.ok("closetab")  # the last one, with which a window would close
    project.ok("restart")
    assert "Mode: headed" in project.ok("status").out
    until(lambda: "Tabs: 1" in project.ok("status").out, what="the new window's first tab")
    assert in_window(project).pid != first.pid
    family = project.family()
    person(project, "key", "--clearmodifiers", "ctrl+shift+w")
    see_gone(family)
    closed = project.ok("goto", "about:blank")
    assert "The window was closed" in closed.err
    assert "Mode: launched" in project.ok("status").out
    project.ok("stop")
    assert "Starting the daemon" in project.ok("url").err


@pytest.mark.issue(16)
def test_a_supervised_window_is_opened_again_until_ctrl_c(project: Project):
    supervisor = project.start("connect", "--supervise")
    assert supervisor.stderr
    assert b"Starting" in supervisor.stderr.readline()
    assert b"Supervising" in supervisor.stderr.readline()
    first, lost = project.state(), in_window(project)
    names = ask_each(project.family(), psutil.Process.name).items()
    displays = [process for process, name in names if name == "Xvfb"]

    displays[0].kill()

    def is_new() -> bool:
        return project.state_file.exists() and project.state()["pid"] != first["pid"]

    until(is_new, what="a new daemon")
    assert in_window(project).pid != lost.pid
    supervisor.send_signal(signal.SIGINT)
    out, err = supervisor.communicate(timeout=HANG_S)
    assert supervisor.returncode == 0
    assert out.decode().startswith("Connected to real Chrome\n")
    assert f"URL: http://127.0.0.1:{first['port']}/welcome\n" in out.decode()
    assert "[note] nobody sees the window: its display" in out.decode()
    assert "The window was lost: opening a new one in 1 s" in err.decode()
    see_none(project)
    assert project.ok("disconnect").out == "Not in headed mode — nothing to disconnect.\n"
