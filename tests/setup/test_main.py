"""`python -m browse.setup`, as the client starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from browse import _exit
from support.programs import a_program


def setup(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-m", "browse.setup", *words],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=50,
    )


@pytest.fixture
def browser(tmp_path: Path) -> str:
    return str(a_program(tmp_path / "chromium", "echo browse-doctor"))


def test_install_names_the_browser_that_is_there(browser: str):
    done = setup("install", GSTACK_CHROMIUM_PATH=browser)

    assert done.returncode == 0
    assert done.stdout == f"Chromium is ready: {browser}\n"


def test_a_reader_that_goes_away_is_no_failure_to_tell(browser: str):
    """`browse doctor | head -1`."""
    command = [sys.executable, "-I", "-m", "browse.setup", "doctor"]
    environ = {**os.environ, "GSTACK_CHROMIUM_PATH": browser}
    with subprocess.Popen(command, env=environ, stdout=-1, stderr=-1) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()

    assert (told, process.returncode) == (b"", _exit.BROKEN_PIPE)


def test_install_quiet_says_nothing(browser: str):
    done = setup("install", "--quiet", GSTACK_CHROMIUM_PATH=browser)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_install_json(browser: str):
    done = setup("install", "--json", GSTACK_CHROMIUM_PATH=browser)

    assert json.loads(done.stdout) == {
        "ok": True,
        "path": browser,
        "kind": "chromium",
        "origin": "setting",
    }


def test_install_with_a_wrong_choice_fails_with_a_hint():
    done = setup("install", GSTACK_CHROMIUM_PATH="/nowhere/chrome")

    assert done.returncode == 1
    assert done.stdout == ""
    assert "/nowhere/chrome, which does not exist" in done.stderr
    assert "unset GSTACK_CHROMIUM_PATH" in done.stderr


def test_doctor_json_is_one_document(browser: str, tmp_path: Path):
    state = str(tmp_path / "browse.json")

    done = setup("doctor", "--json", GSTACK_CHROMIUM_PATH=browser, BROWSE_STATE_FILE=state)
    answer = json.loads(done.stdout)
    assert answer["ok"] == (done.returncode == 0)
    assert {"name", "ok", "detail", "fix"} == set(answer["checks"][0])
    assert "✓ python" in done.stderr


def test_doctor_ends_with_1_when_a_check_fails(tmp_path: Path):
    done = setup("doctor", GSTACK_CHROMIUM_PATH="/nowhere/chrome")

    assert done.returncode == 1
    assert "✗ chromium: GSTACK_CHROMIUM_PATH names /nowhere/chrome" in done.stdout
    assert "    → " in done.stdout


@pytest.mark.parametrize("words", [("doctor", "--loud"), ("install", "chrome"), ("dance",), ()])
def test_wrong_words_are_usage_errors(words: tuple[str, ...]):
    done = setup(*words)

    assert done.returncode == 2
    assert done.stderr.startswith("browse: ")
    assert "Traceback" not in done.stderr


def test_install_skills_needs_no_browser_and_goes_to_the_hosts_that_are_used(tmp_path: Path):
    (tmp_path / ".cursor").mkdir()

    done = setup("install", "--skills", HOME=str(tmp_path), GSTACK_CHROMIUM_PATH="/nowhere/chrome")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"cursor ({tmp_path / '.cursor/skills'}): 7 installed\n"
    assert (tmp_path / ".cursor/skills/automate/SKILL.md").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--skills", "--host", "emacs"], "claude, codex, cursor, vscode, opencode, gemini, all"),
        (["--skills", "--host", "vscode"], "vscode has no place for skills"),
        (["--skills", "--mcp"], "are two things"),
        (["--host", "claude"], "that flag is for --skills"),
        (["--remove"], "that flag is for --skills"),
    ],
)
def test_install_skills_says_what_is_wrong(words: list[str], said: str, tmp_path: Path):
    done = setup("install", *words, HOME=str(tmp_path))

    assert done.returncode == 2
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_install_mcp_keeps_what_is_there_and_is_undone(tmp_path: Path):
    (tmp_path / ".gemini").mkdir()
    path = tmp_path / ".gemini/settings.json"
    path.write_text('{\n  "theme": "dark"\n}\n')

    done = setup("install", "--mcp", "--json", HOME=str(tmp_path))
    written = json.loads(path.read_text())
    undone = setup("install", "--mcp", "--remove", HOME=str(tmp_path))

    row = {"host": "gemini", "path": str(path), "state": "installed"}
    assert json.loads(done.stdout) == {"ok": True, "mcp": [row]}
    assert list(written) == ["theme", "mcpServers"]
    assert (undone.returncode, undone.stdout) == (0, f"gemini ({path}): removed\n")
    assert path.read_text() == '{\n  "theme": "dark"\n}\n'


def test_install_mcp_goes_on_after_a_file_that_it_cannot_change(tmp_path: Path):
    (tmp_path / ".claude.json").write_text("{// mine\n}")

    done = setup("install", "--mcp", "--host", "claude", "--host", "gemini", HOME=str(tmp_path))
    quiet = setup("install", "--mcp", "--host", "claude", "--quiet", HOME=str(tmp_path))

    assert done.returncode == 1
    assert f"gemini ({tmp_path}/.gemini/settings.json): installed" in done.stdout
    assert "claude: " in done.stdout
    assert "put this into it yourself" in done.stdout
    assert (quiet.returncode, "left as it is" in quiet.stdout) == (1, True)
