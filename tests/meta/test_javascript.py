"""The checkers of the page scripts: pinned, without addresses, and left out with a reason."""

import json
import os
from pathlib import Path

import pytest
from tools.check import of_page_scripts
from tools.javascript import CHECKERS, Checkers

ROOT = Path(__file__).parents[2]
LOCKS = sorted(ROOT.glob("tools/*/package-lock.json"))


@pytest.fixture
def copied(tmp_path) -> Checkers:
    """A folder with the same package.json and lock, and nothing installed."""
    for name in ("package.json", "package-lock.json"):
        (tmp_path / name).write_bytes((CHECKERS.folder / name).read_bytes())
    return Checkers(tmp_path)


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """Put a program called npm first on the PATH."""

    def put(script: str) -> None:
        program = tmp_path / "bin" / "npm"
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")

    return put


@pytest.mark.parametrize("lock", LOCKS, ids=lambda it: it.parent.name)
def test_the_lock_names_no_address(lock):
    assert "://" not in lock.read_text("utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda it: it.parent.name)
def test_every_package_of_the_lock_has_a_hash(lock):
    packages = json.loads(lock.read_text("utf-8"))["packages"]

    assert [name for name, it in packages.items() if name and "integrity" not in it] == []


def test_the_lock_has_what_other_systems_need():
    packages = json.loads((CHECKERS.folder / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = {name for it in packages.values() for name in it.get("optionalDependencies", {})}

    assert {f"node_modules/{name}" for name in wanted} <= set(packages)


def test_without_npm_they_are_left_out(copied, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert copied.why_not() == "there is no npm here"


def test_what_npm_says_is_the_reason(copied, npm):
    npm("echo 'npm error code ENOTFOUND' >&2; exit 1")

    assert copied.why_not() == "npm could not install the checkers: code ENOTFOUND"


def test_npm_is_asked_once_for_a_lock(copied, npm):
    npm("mkdir node_modules && echo asked >> asked.txt")

    assert [copied.why_not(), copied.why_not()] == ["", ""]
    assert (copied.folder / "asked.txt").read_text() == "asked\n"


def test_another_lock_is_installed_anew(copied, npm):
    npm("mkdir -p node_modules && echo asked >> asked.txt")
    copied.why_not()
    (copied.folder / "package-lock.json").write_text("{}")
    copied.why_not()

    assert (copied.folder / "asked.txt").read_text() == "asked\nasked\n"


def test_a_reason_is_printed_and_nothing_runs(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    assert of_page_scripts() == ()
    assert "page scripts … skipped: there is no npm here" in capsys.readouterr().out


def test_what_is_checked_exists():
    assert [path for path in CHECKERS.checked() if not (ROOT / path).exists()] == []
