import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from browse import _exit
from browse.setup import demo, invocation
from support.cli import HANG_S


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A temporary folder of the test's own, to see what the demo leaves in it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_long_output_is_shortened():
    lines = demo.shorten("x" * 300 + "\n" + "line\n" * 20)

    assert lines[0] == "x" * demo.SHOWN_CHARS + "…"
    assert len(lines) == demo.SHOWN_LINES + 1
    assert lines[-1] == f"… {21 - demo.SHOWN_LINES} more lines"


def test_the_page_needs_nothing_from_outside():
    text = demo.PAGE.read_text("utf-8")

    assert "://" not in text
    assert "src=" not in text


def test_a_step_that_fails_ends_the_demo_and_is_named(temp: Path):
    lines: list[str] = []
    steps = (demo.DemoStep(("no-such-command",)), demo.DemoStep(("url",)))

    result = demo.perform(lines.append, os.environ, steps)
    assert result.data["ok"] is False
    assert len(result.data["steps"]) == 1
    assert "`browse no-such-command`" in result.text
    assert list(temp.iterdir()) == []


def test_an_output_that_is_not_the_expected_one_fails(temp: Path):
    lines: list[str] = []

    result = demo.perform(lines.append, os.environ, (demo.DemoStep(("--version",), "a teapot"),))
    assert result.data["ok"] is False
    assert "    (expected to see 'a teapot')" in lines


def test_each_step_is_shown_with_its_output_and_time(temp: Path):
    lines: list[str] = []

    demo.perform(lines.append, os.environ, (demo.DemoStep(("--version",)),))
    assert lines[0] == "$ browse --version"
    assert lines[-1].strip().endswith(" ms")


@pytest.mark.e2e
def test_the_whole_demo_works_and_leaves_nothing(temp: Path):
    lines: list[str] = []

    result = demo.perform(lines.append, {**os.environ, "BROWSE_TAB": "77"})
    assert result.data["ok"], "\n".join(lines)
    assert len(result.data["steps"]) == len(demo.STEPS)
    assert list(temp.iterdir()) == []


@pytest.mark.e2e
@pytest.mark.issue(15)
@pytest.mark.parametrize("after", ["goto", "text"])
def test_the_first_interruption_ends_the_demo_and_its_daemon(tmp_path: Path, after: str):
    command = [sys.executable, "-I", "-m", "browse.setup", "demo"]
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environ, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            if line.startswith(f"$ browse {after}"):
                break
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=HANG_S)

    assert process.returncode == _exit.INTERRUPTED
    assert errors.startswith("\nbrowse: interrupted. Its daemon has ended")
    assert list(tmp_path.glob("browse-demo-*")) == []


@pytest.mark.issue(15)
def test_the_next_step_is_spelled_as_this_browse_is_called(temp: Path):
    result = demo.perform(lambda _: None, os.environ, (demo.DemoStep(("--version",)),))

    assert f"{invocation.spelled()} goto https://example.com" in result.text
