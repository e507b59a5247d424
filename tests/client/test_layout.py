"""Help as a terminal shows it."""

import os
import pty
import subprocess

import pytest

from browse.client import layout
from browse.client._help import HELP, OVERVIEW

pytestmark = pytest.mark.issue(15)


@pytest.mark.parametrize("width", [30, 60, 92, 120])
@pytest.mark.parametrize("name", ["goto", "skill", "install", "snapshot"])
def test_no_word_is_lost_at_any_width(name, width):
    laid = layout.fitted(HELP[name], width, colour=False)

    assert laid.split() == HELP[name].split()


@pytest.mark.parametrize("width", [80, 100, 120])
def test_rows_fill_the_width_and_not_more(width):
    rows = layout.fitted(OVERVIEW, width, colour=False).splitlines()

    assert max(len(row) for row in rows if row.startswith(" " * layout.INDENT)) <= width


def test_at_its_own_width_help_stays_as_it_is():
    assert layout.fitted(OVERVIEW, layout.DEFAULT_COLUMNS, colour=False) == OVERVIEW


def test_a_narrow_terminal_has_the_text_below_the_command():
    lines = layout.fitted(OVERVIEW, 50, colour=False).splitlines()

    at = lines.index("  goto <url>")
    assert lines[at + 1] == "      Open a page in the current tab."


def in_a_terminal(project, *words: str, **environ: str) -> str:
    """Run the client with a terminal of 60 columns as its stdout."""
    outer, inner = pty.openpty()
    env = {**project.env, "COLUMNS": "60", "TERM": "xterm", **environ}
    with subprocess.Popen(
        project.command(*words), stdin=-3, stdout=inner, env=env, cwd=project.folder
    ):
        os.close(inner)
        said = b""
        while True:
            try:
                said += os.read(outer, 65_536)
            except OSError:  # the terminal's other side is closed
                break
    os.close(outer)
    return said.decode().replace("\r\n", "\n")


def test_a_terminal_gets_its_width_and_colour(project):
    said = in_a_terminal(project, "help", "goto")

    assert f"{layout.BOLD}Examples:{layout.PLAIN}" in said
    assert f"{layout.CYAN}--json{layout.PLAIN}" in said


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(project, environ):
    said = in_a_terminal(project, "help", "goto", **environ)

    assert "\x1b" not in said
    assert said == layout.fitted(HELP["goto"], 60, colour=False)


def test_the_overview_names_what_the_client_answers_alone():
    assert "  completion bash|zsh|fish" in OVERVIEW
    assert "  --version" in OVERVIEW
