"""Callers without a name: conversations have a tab each, and whoever shares one is told."""

import json
import shlex
import subprocess
from collections.abc import Iterator

import pytest

from support.cli import CLIENT, Project

pytestmark = pytest.mark.e2e

END = "that-was-all"
OWN = ("--session", "shells")


class Shell:
    """A shell without a terminal that stays, as that of a script or an agent.

    It works in a session in which no other test has done anything, as this process, or for it.
    """

    def __init__(self, project: Project) -> None:
        project.touched = True
        self.process = subprocess.Popen(
            ["sh"], cwd=project.root, env=project.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def browse(self, *words: str) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{shlex.join([*CLIENT, *words, *OWN])}; echo; echo {END}\n")
        self.process.stdin.flush()
        lines = iter(self.process.stdout.readline, f"{END}\n")
        return "".join(lines)

    def end(self) -> None:
        self.process.communicate("exit\n", timeout=60)


@pytest.fixture
def shells(browser) -> Iterator[tuple[Shell, Shell]]:
    both = Shell(browser), Shell(browser)
    yield both
    for shell in both:
        shell.end()


def test_two_shells_that_share_a_tab_are_told_of_each_other(browser, site, shells):
    one, two = shells
    a, b = site.page("/ca-a", "<p>aaa"), site.page("/ca-b", "<p>bbb")
    assert "[note]" not in one.browse("goto", a)
    assert "[note]" not in one.browse("text")

    two.browse("goto", b)
    told = one.browse("text")

    who = f"another program (sh, pid {two.process.pid})"
    assert f"[note] since your last command, {who} ran `goto` in tab" in told
    assert "BROWSE_AGENT=<name>" in told
    assert "[note]" not in one.browse("text")
    two.browse("newtab")
    assert f"{who} made tab" in one.browse("chain", "url | text")
    # Whoever has started both shells comes for the first time.
    assert "[note]" not in browser.ok("text", "--json", *OWN, cwd=browser.root).err


@pytest.fixture
def agents(browser) -> Iterator[Project]:
    """The shared browser; afterwards no tab is left in the hands of an agent."""
    yield browser
    for row in json.loads(browser.post("tabs", "--json"))["tabs"]:
        if "heldBy" in row:
            browser.post("tab", str(row["id"]), "--take")


def test_conversations_have_a_tab_each_and_an_agent_whose_tab_is_taken_is_told(agents, site):
    browser = agents
    a, b = site.page("/ca-one", "<p>one"), site.page("/ca-two", "<p>two")
    first = {"CLAUDE_CODE_SESSION_ID": "0f3c1a52-0000-4000-8000-00000000aaaa"}
    second = {"CLAUDE_CODE_SESSION_ID": "0f3c1a52-0000-4000-8000-00000000bbbb"}
    inner = {**second, "CODEX_THREAD_ID": "019d1be2-5752-7553-80c4-66e6dbddb174"}

    for url, env in ((a, first), (b, second), (a, inner)):
        browser.ok("goto", url, **env)

    assert browser.ok("text", **first).page == "one"
    assert browser.ok("text", **second).page == "two"
    rows = json.loads(browser.post("tabs", "--json"))["tabs"]
    held = {row["heldBy"]: str(row["id"]) for row in rows if "heldBy" in row}
    assert {"claude:0000aaaa", "claude:0000bbbb", "claude:0000bbbb+codex:dbddb174"} <= {*held}

    browser.ok("tab", held["claude:0000aaaa"], "--take", BROWSE_AGENT="ada")
    told = browser.ok("text", **first).err
    assert f"since your last command, ada made tab {held['claude:0000aaaa']} current" in told
