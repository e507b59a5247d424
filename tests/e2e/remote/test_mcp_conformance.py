"""The conformance suite of MCP against `/mcp`, in both kinds of revisions."""

import subprocess
from pathlib import Path

import pytest
from tools.javascript import Checkers

from support.cli import CALL_S
from support.with_token import with_token

pytestmark = pytest.mark.e2e
SUITE = Checkers(Path(__file__).parents[3] / "tools" / "mcp")
PROGRAM = SUITE.modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
OLDEST_NODE = 22
KINDS = {"old": ("--suite", "active"), "new": ("--requirements", "2026-07-28")}


def node() -> str:
    """Return a Node.js that is new enough: that of this machine, or the one that npm installs."""
    for program in ("node", *map(str, SUITE.modules.glob("node-*/bin/node"))):
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        if int(said.stdout.lstrip("v").partition(".")[0] or 0) >= OLDEST_NODE:
            return program
    pytest.skip(f"the conformance suite needs Node.js {OLDEST_NODE}")


def start(program: str, url: str, kind: str, folder: Path) -> subprocess.Popen[str]:
    expected = str(SUITE.folder / f"expected-{kind}.yml")
    words = ["server", "--url", url, *KINDS[kind], "--expected-failures", expected]
    return subprocess.Popen(
        [program, str(PROGRAM), *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_the_suite_finds_only_what_is_expected(browser, tmp_path):
    if reason := SUITE.why_not():
        pytest.skip(f"the conformance suite is not here: {reason}")
    state, program = browser.state(), node()
    browser.touched = True

    with with_token(state["port"], state["token"]) as port:
        url = f"http://localhost:{port}/mcp"
        runs = [start(program, url, kind, tmp_path) for kind in KINDS]
        said = [run.communicate(timeout=CALL_S)[0] for run in runs]

    assert [run.returncode for run in runs] == [0, 0], "\n".join(said)[-8_000:]
