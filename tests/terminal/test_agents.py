"""Which program a terminal runs, and how it gets its prompt."""

from pathlib import Path

import pytest

from browse.terminal.agents import LAST_SHELL, LOGIN, PROMPT_VARIABLE, TerminalProgram, choose


def program(folder: Path, name: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_the_first_agent_that_is_installed_is_run(tmp_path: Path):
    codex = program(tmp_path / "bin", "codex")
    program(tmp_path / "bin", "gemini")

    chosen = choose((), {"PATH": str(tmp_path / "bin")}, tmp_path)

    assert (chosen.argv, chosen.name, chosen.is_agent) == ((codex,), "codex", True)


def test_an_agent_is_found_where_its_installer_puts_it(tmp_path: Path):
    claude = program(tmp_path / ".local" / "bin", "claude")

    assert choose((), {"PATH": "/nowhere"}, tmp_path).argv == (claude,)


def test_the_setting_wins_with_its_words(tmp_path: Path):
    program(tmp_path, "claude")
    own = program(tmp_path, "my agent")

    chosen = choose((own, "--fast"), {"PATH": str(tmp_path)}, tmp_path)

    assert (chosen.argv, chosen.name) == ((own, "--fast"), "my agent")


def test_without_an_agent_it_is_the_shell_and_it_says_so(tmp_path: Path):
    chosen = choose((), {"PATH": "/nowhere", "SHELL": "/bin/sh"}, tmp_path)

    assert (chosen.argv, chosen.is_agent) == (("/bin/sh", *LOGIN), False)
    assert "no agent is installed here (claude, codex, gemini)" in chosen.notice


def test_a_setting_that_names_nothing_is_told_not_replaced_by_another_agent(tmp_path: Path):
    program(tmp_path, "claude")

    chosen = choose(("no-such-agent",), {"PATH": str(tmp_path), "SHELL": "/bin/sh"}, tmp_path)

    assert not chosen.is_agent
    assert "BROWSE_TERMINAL_BINARY names no-such-agent, which is not installed" in chosen.notice


@pytest.mark.parametrize("shell", ["/usr/sbin/nologin", "/bin/false", "/no/such/shell", ""])
def test_a_shell_that_runs_nothing_is_passed_over(
    tmp_path: Path, shell: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("browse.terminal.agents._of_account", lambda: "")

    assert choose((), {"PATH": "/nowhere", "SHELL": shell}, tmp_path).argv[0] == LAST_SHELL


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("claude", ("x", "--append-system-prompt", 'say "a"\nb')),
        ("codex", ("x", "-c", 'developer_instructions="say \\"a\\"\\nb"')),
    ],
)
def test_an_agent_that_takes_a_prompt_gets_it_on_its_command_line(name: str, words: object):
    assert TerminalProgram(("x",), name, is_agent=True).told('say "a"\nb') == (words, {}, "")


@pytest.mark.parametrize("name", ["gemini", "bash", "my-agent"])
def test_any_other_gets_a_variable_and_a_line_that_names_it(name: str):
    argv, variables, line = TerminalProgram(("x",), name, is_agent=True).told("the prompt")

    assert (argv, variables) == (("x",), {PROMPT_VARIABLE: "the prompt"})
    assert f"${PROMPT_VARIABLE}" in line
