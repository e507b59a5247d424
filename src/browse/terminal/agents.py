"""Which program a terminal runs, and how it is told what it needs to know.

The command of the setting, else the first agent that is installed, else the person's shell.
"""

import json
import os
import pwd
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath

import msgspec

# How each agent takes instructions that are added to its own; None: it has no way to.
AGENTS: Mapping[str, Callable[[str], tuple[str, ...]] | None] = {
    "claude": lambda prompt: ("--append-system-prompt", prompt),
    # A string of TOML; ours is plain ASCII, so one of JSON is the same.
    "codex": lambda prompt: ("-c", f"developer_instructions={json.dumps(prompt)}"),
    "gemini": None,
}
# Where their installers put them, besides PATH: a daemon may have been started with a short one.
USUAL_FOLDERS = (
    ".local/bin",
    ".claude/local",
    ".npm-global/bin",
    ".bun/bin",
    "/opt/homebrew/bin",
    "/usr/local/bin",
)
LAST_SHELL = "/bin/sh"
# As terminals of the system do it. Elsewhere a login shell would set PATH anew, without `browse`.
LOGIN = ("-l",) if sys.platform == "darwin" else ()
SETTING = "BROWSE_TERMINAL_BINARY"
# Where a program that takes no prompt finds it.
PROMPT_VARIABLE = "BROWSE_TERMINAL_PROMPT"


class TerminalProgram(msgspec.Struct, frozen=True):
    """A program to run: its words, its name, whether it is an agent, and why it was chosen."""

    argv: tuple[str, ...]
    name: str
    is_agent: bool
    notice: str = ""

    def told(self, prompt: str) -> tuple[tuple[str, ...], dict[str, str], str]:
        """Give it a prompt: the words to run, variables to add, and a line to show first."""
        if takes := AGENTS.get(self.name):
            return (*self.argv, *takes(prompt)), {}, self.notice
        line = f"browse: what this terminal is for stands in ${PROMPT_VARIABLE}."
        return self.argv, {PROMPT_VARIABLE: prompt}, "\n".join(filter(None, [self.notice, line]))


def choose(command: Sequence[str], environ: Mapping[str, str], home: Path) -> TerminalProgram:
    """Choose the program of a new terminal."""
    path = os.pathsep.join(
        [environ.get("PATH", os.defpath), *(str(home / place) for place in USUAL_FOLDERS)]
    )
    if command:
        if found := shutil.which(command[0], path=path):
            return TerminalProgram((found, *command[1:]), PurePath(command[0]).name, is_agent=True)
        return _shell(environ, f"{SETTING} names {command[0]}, which is not installed")
    for name in AGENTS:
        if found := shutil.which(name, path=path):
            return TerminalProgram((found,), name, is_agent=True)
    return _shell(environ, f"no agent is installed here ({', '.join(AGENTS)})")


def _shell(environ: Mapping[str, str], why: str) -> TerminalProgram:
    shell = next(filter(_runs, (environ.get("SHELL", ""), _of_account())), LAST_SHELL)
    notice = (
        f"browse: {why}, so this is your shell.\n"
        f"browse: to run an agent here, install one or set {SETTING}, then restart the terminal."
    )
    return TerminalProgram((shell, *LOGIN), PurePath(shell).name, is_agent=False, notice=notice)


def _of_account() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:  # a container may run as a user without an account
        return ""


def _runs(shell: str) -> bool:
    # An account that may not log in has a program for a shell that ends at once.
    return bool(shutil.which(shell)) and PurePath(shell).name not in ("nologin", "false")
