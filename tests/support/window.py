"""What tests of the window need: whether one can be opened here, and a person's hands in it."""

import os
import subprocess

import psutil
import pytest
from tools.programs import where

from browse.browser.process import chromium
from browse.core.errors import BrowseError
from support.cli import Project, ask_each, until

TOOLS = ("Xvfb", "xdotool")


def why_no_window() -> str:
    """Tell why no window can be opened and driven here; "" if it can."""
    if missing := [tool for tool in TOOLS if not where(tool)]:
        return f"not installed: {', '.join(missing)}"
    try:
        chromium.find_with_window(os.environ.get("GSTACK_CHROMIUM_PATH", ""))
    except BrowseError as exc:
        return exc.message
    return ""


needs_window = pytest.mark.skipif(bool(why_no_window()), reason=why_no_window())


def in_window(project: Project) -> psutil.Process:
    """Find the main process of the Chromium that has the window."""
    folder = str(project.root / ".gstack" / "chromium-profile")

    def found() -> list[psutil.Process]:
        lines = ask_each(project.family(), psutil.Process.cmdline).items()
        own = f"--user-data-dir={folder}"
        return [it for it, words in lines if own in words and "--type=" not in " ".join(words)]

    return until(found, what="the window's Chromium")[0]


def shown(project: Project) -> dict[str, str]:
    """Return the variables that lead a program to the window's screen."""
    environ = in_window(project).environ()
    return {name: it for name, it in environ.items() if name in ("DISPLAY", "XAUTHORITY")}


def person(project: Project, *words: str) -> str:
    """Do what a person does at the window's screen, by xdotool."""
    command = [str(where("xdotool")), *words]
    known: dict[str, str] = {**os.environ, **shown(project)}
    done = subprocess.run(
        command, env=known, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout
