"""Programs that tests need: where they cannot be had, nothing is changed and the reason is told."""

import subprocess
import sys
from pathlib import Path

import pytest
import tools.programs

from browse.setup import apt

SCRIPT = Path(__file__).parents[2] / "tools" / "programs.py"


def test_without_a_way_to_install_them_the_reason_is_told(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT)],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr.startswith(
        "not here, and not installed (only known for Debian and its kin): "
    )
    assert {"bwrap", "fish", "zsh"} <= set(done.stderr.split(": ")[1].strip().split(", "))


@pytest.mark.parametrize(("kind", "needed"), [("headless-shell", True), ("chrome", False)])
def test_a_headless_shell_is_not_enough_for_tests_of_the_window(
    monkeypatch, kind, needed, tmp_path
):
    browser = tmp_path / f"chrome-{kind}"
    browser.touch(mode=0o755)
    monkeypatch.setenv("GSTACK_CHROMIUM_PATH", str(browser))

    assert (tools.programs.WINDOW in tools.programs.missing()) is needed


def test_a_package_that_is_not_to_be_had_does_not_keep_the_others_away(monkeypatch):
    commands = []
    monkeypatch.setattr(apt, "run", lambda each, seconds: commands.append(each))

    tools.programs.install(["zsh", "chromium", "bwrap"])

    installed = [each[each.index("--no-install-recommends") + 1 :] for each in commands[1::2]]
    assert installed == [("bubblewrap", "zsh"), ("chromium",)]
