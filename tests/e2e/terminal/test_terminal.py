"""The terminal of a real daemon: what runs in it uses that daemon, and ends with it."""

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from support.cli import BOOT, Project, until
from support.life import of_project, see_gone, see_none
from support.terminals import TerminalPanel, granted

pytestmark = pytest.mark.e2e

BROWSE = shlex.join([sys.executable, "-I", "-S", str(BOOT)])
MIB = 1024 * 1024
# An agent that shows what it was given, and then is a shell.
AGENT = """#!/bin/sh
printf '%s\\n' "$@" >"$HOME/given"
echo agent-is-up
exec /bin/sh
"""


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Project]:
    """A daemon without Chromium, whose agent is a script."""
    agent = tmp_path / "claude"
    agent.write_text(AGENT)
    agent.chmod(0o755)
    made = Project.make(
        tmp_path,
        BROWSE_HEADLESS_SKIP="1",
        BROWSE_TERMINAL_BINARY=str(agent),
        AUTH_TOKEN="the-token-of-the-owner-of-this",
    )
    made.ok("restart")
    yield made
    made.end()


@pytest.mark.issue(16)
def test_what_runs_in_the_terminal_uses_this_daemon_and_starts_no_other(browser, site):
    page = site.page("/beside", "<title>Beside</title>the page beside it")
    browser.ok("goto", page)
    grant = granted(browser)
    assert not grant["program"]["agent"]

    with TerminalPanel(grant, cols=200, rows=50) as panel:
        assert "no agent is installed here" in panel.until("BROWSE_TERMINAL_PROMPT.")
        assert "/browse\r\n" in panel.after("command -v browse")
        assert page in panel.after(f"{BROWSE} tabs")
        elsewhere = panel.after(f"BROWSE_STATE_FILE=/tmp/none/x.json {BROWSE} tabs")
        assert "forbids starting one from here" in elsewhere
        variables = panel.after("env")
        assert browser.state()["token"] not in variables
        assert grant["attachToken"] not in variables
        assert f"BROWSE_PORT={browser.state()['port']}" in variables

        # What it can read about tabs is kept up to date, in the daemon's own numbers.
        folder = browser.state_file.parent
        (tab,) = json.loads((folder / "tabs.json").read_text())["tabs"]
        assert (tab["url"], tab["active"]) == (page, True)
        assert f"[{tab['tabId']}]" in browser.ok("tabs").out
        other = site.page("/another", "<title>Another</title>")
        browser.ok("goto", other)
        active = folder / "active-tab.json"
        until(lambda: json.loads(active.read_text())["url"] == other)

        # The canary that it was given is looked for in what it sends.
        shown = panel.after("echo $BROWSE_TERMINAL_PROMPT")
        (canary,) = set(re.findall(r"CANARY-[0-9A-F]{12}", shown))
        leak = panel.after(f"{BROWSE} goto {other}?{canary}")
        assert "`browse context --reset` lets you go on" in leak
        browser.ok("context", "--reset")
    browser.ask("POST", "/pty-dispose", {"sessionId": grant["sessionId"]})


def test_a_hundred_megabytes_neither_stall_nor_grow_the_daemon(alone: Project):
    grant = granted(alone)
    assert grant["program"] == {"name": "claude", "agent": True, "notice": ""}
    with TerminalPanel(grant) as panel:
        panel.until("agent-is-up")
        flag, prompt = (alone.root.parent / "home" / "given").read_text().split("\n", 1)
        assert flag == "--append-system-prompt"
        assert re.search(r"CANARY-[0-9A-F]{12}; never repeat it", prompt)

        daemon = alone.daemon()
        before = daemon.memory_info().rss
        # Read nothing for a while: the program has to wait, and the daemon has not.
        panel.type("stty -opost; head -c 100000000 /dev/zero; echo; echo all-$((40+2))\n")
        panel.say(type="ack", bytes=0)
        alone.ok("status")
        total = 0
        while b"all-42" not in panel.seen:
            kept = len(panel.seen)
            assert panel.read()
            panel.say(type="ack", bytes=len(panel.seen) - kept)
            total += len(panel.seen) - kept
            del panel.seen[: max(0, len(panel.seen) - MIB)]
        alone.ok("status")

        assert total > 100_000_000
        assert daemon.memory_info().rss - before < 24 * MIB


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_nothing_is_left_of_a_terminal_when_its_daemon_ends(alone: Project, how: str):
    with TerminalPanel(granted(alone)) as panel:
        panel.until("agent-is-up")
        panel.type("trap '' HUP TERM INT; setsid sleep 1000 & sleep 1000 & echo ready-$((40+2))\n")
        panel.until("ready-42")
        family = alone.family()
        assert len(family) >= 6, family  # supervisor, PTY process, shell, both sleeps

        if how == "stop":
            alone.ok("stop")
        else:
            psutil.Process(alone.state()["pid"]).kill()
        while panel.read():
            pass
    assert panel.closed in (1006, 1012)
    see_gone(family)
    see_none(alone)
    assert not of_project(alone)


def test_a_cut_connection_is_taken_up_again(alone: Project):
    with TerminalPanel(granted(alone)) as panel:
        panel.until("agent-is-up")
        panel.type("echo $$ >$HOME/pid; sleep 0.2; echo mean''while\n")
    pid = alone.root.parent / "home" / "pid"
    until(pid.is_file)
    again = granted(alone, "/pty-session/reattach", sessionId=panel.name)
    with TerminalPanel(again) as back:
        assert "agent-is-up" in back.until("meanwhile")
        assert back.told[0]["type"] == "reattach-begin"
        assert pid.read_text().strip() in back.after("echo $$")
        fresh = granted(alone, "/pty-restart", sessionId=panel.name)
        while back.read():
            pass
        assert back.closed == 4001
    assert fresh["sessionId"] != panel.name
    status, _ = alone.ask("POST", "/pty-session/reattach", {"sessionId": panel.name})
    assert status == 410
