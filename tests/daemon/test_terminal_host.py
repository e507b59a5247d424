"""What a terminal of a daemon starts with."""

import json
import os
from pathlib import Path

import pytest

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.daemon.terminal_host import DaemonTerminalHost
from browse.guard import credentials
from browse.security.canary import Canary
from browse.terminal.agents import PROMPT_VARIABLE
from support.fakes import FakeTab, a_runner


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / ".gstack" / "browse.json", tmp_path / "home")


def a_host(paths: Paths, canary: Canary, *command: str) -> DaemonTerminalHost:
    paths.state_dir.mkdir()
    parts = a_runner(tabs=(FakeTab(4), FakeTab(9))).parts
    return DaemonTerminalHost(Settings(terminal_command=command), paths, 4711, canary, parts)


async def test_an_agent_gets_the_canary_and_the_tabs_in_its_prompt(paths: Paths, tmp_path: Path):
    claude = tmp_path / "claude"
    claude.write_text("#!/bin/sh\n")
    claude.chmod(0o755)
    canary = Canary()
    host = a_host(paths, canary, str(claude))
    start = await host.prepare()

    words, prompt = start.argv[:2], start.argv[2]
    assert words == (str(claude), "--append-system-prompt")
    assert canary.tell() in prompt
    assert "never repeat it" in prompt
    assert "2 tabs open" in prompt
    assert canary.is_in(prompt)  # so from now on it is looked for
    assert start.folder == tmp_path
    assert start.environ["BROWSE_PORT"] == "4711"
    assert start.notice == ""
    await host.close()


async def test_a_shell_gets_it_in_a_variable_and_says_why_it_is_one(paths: Paths):
    host = a_host(paths, Canary(), "no-such-agent")
    start = await host.prepare()

    assert "CANARY-" in start.environ[PROMPT_VARIABLE]
    assert "BROWSE_TERMINAL_BINARY names no-such-agent" in start.notice
    assert not host.program().is_agent
    await host.close()


async def test_no_secret_of_the_daemon_is_in_the_variables(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(os.environ, "AUTH_TOKEN", "the-token-of-the-owner")
    host = a_host(paths, Canary())
    start = await host.prepare()

    assert "the-token-of-the-owner" not in str(start.environ)
    await host.close()


async def test_what_was_typed_into_secret_fields_is_masked_in_the_files(paths: Paths, monkeypatch):
    monkeypatch.setattr(credentials, "SEALED", credentials.Typed())
    credentials.SEALED.add("correct-horse")
    paths.state_dir.mkdir()
    tab = FakeTab(4, "http://x.test/?q=correct-horse", "You typed correct-horse")
    host = DaemonTerminalHost(Settings(), paths, 4711, Canary(), a_runner(tabs=(tab,)).parts)

    await host.tabs_changed("test", looked_at=tab.url)

    told = paths.tabs_file.read_text() + paths.active_tab_file.read_text()
    assert "You typed ****" in told
    assert "correct-horse" not in told


async def test_files_that_cannot_be_written_keep_nobody_from_a_terminal(paths: Paths, caplog):
    host = a_host(paths, Canary())
    paths.tabs_file.mkdir()

    start = await host.prepare()

    assert start.argv
    assert "not up to date" in caplog.text
    paths.tabs_file.rmdir()
    await host.close()


async def test_the_files_about_tabs_live_as_long_as_the_daemon(paths: Paths):
    host = a_host(paths, Canary())
    await host.prepare()
    assert [it["tabId"] for it in json.loads(paths.tabs_file.read_text())["tabs"]] == [4, 9]

    await host.tabs_changed("tabSwitch", "https://elsewhere.example/")
    await host.close()
    assert not paths.tabs_file.exists()
