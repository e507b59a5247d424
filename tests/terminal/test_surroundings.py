"""The variables of a terminal's program, and the prompt of an agent."""

import shutil
from pathlib import Path

from browse.core.paths import Paths
from browse.terminal.surroundings import prompt, variables

PATHS = Paths(Path("/project/.gstack/browse.json"), Path("/home/me/.gstack"))
AROUND = {
    "PATH": "/usr/bin",
    "HOME": "/home/me",
    "LANG": "de_DE.UTF-8",
    "AUTH_TOKEN": "the owner's token",
    "BROWSE_READY_FD": "5",
    "BROWSE_AGENT": "another",
    "BROWSE_TAB": "7",
    "CLAUDECODE": "1",
    "COLUMNS": "200",
}


def test_the_program_uses_this_daemon_and_starts_no_other():
    seen = variables(AROUND, PATHS, 4711)

    assert seen["BROWSE_STATE_FILE"] == "/project/.gstack/browse.json"
    assert seen["BROWSE_PORT"] == "4711"
    assert seen["BROWSE_NO_AUTOSTART"] == "1"
    assert seen["BROWSE_AGENT"] == "root"  # whose current tab is the person's
    assert seen["TERM"] == "xterm-256color"


def test_it_gets_the_persons_variables_without_the_daemons():
    seen = variables(AROUND, PATHS, 4711)

    assert (seen["HOME"], seen["LANG"]) == ("/home/me", "de_DE.UTF-8")
    dropped = {"AUTH_TOKEN", "BROWSE_READY_FD", "BROWSE_TAB", "CLAUDECODE"}
    assert not (dropped | {"COLUMNS"}) & set(seen)


def test_there_is_a_browse_on_its_path():
    path = variables({"PATH": "/nowhere"}, PATHS, 1)["PATH"]

    assert path.startswith("/nowhere:")
    assert shutil.which("browse", path=path)


def test_a_browse_of_the_persons_own_stays_the_first(tmp_path: Path):
    own = tmp_path / "browse"
    own.write_text("")
    own.chmod(0o755)

    assert variables({"PATH": str(tmp_path)}, PATHS, 1)["PATH"] == str(tmp_path)


def test_the_prompt_names_tabs_by_number_and_holds_the_reference():
    said = prompt(
        PATHS,
        reference="Reference for this session: CANARY-1",
        current=3,
        open_tabs=2,
        hints=["hint"],
    )

    assert "2 tabs open; the person looks at tab 3." in said
    assert "/project/.gstack/tabs.json" in said
    assert "/project/.gstack/active-tab.json" in said
    assert said.endswith("hint\nReference for this session: CANARY-1")
    assert said.isascii()
