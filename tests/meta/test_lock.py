import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]


def pins(name: str) -> dict[str, str]:
    """Read the pinned version of each package of a lock."""
    text = (ROOT / name).read_text("utf-8")
    return dict(re.findall(r"^([a-z0-9][\w.-]*)==([^\s;]+)", text, re.MULTILINE))


def declared() -> dict[str, str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return dict(line.split(">=") for line in project["dependencies"])


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


@pytest.mark.parametrize("name", LOCKS)
def test_lock_names_no_address(name: str):
    text = (ROOT / name).read_text("utf-8")

    assert "://" not in text
    assert not re.search(r"^\s*--?(index-url|extra-index-url|find-links|i|f)\b", text, re.MULTILINE)


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_hashes(name: str):
    text = (ROOT / name).read_text("utf-8")
    blocks = [block for block in re.split(r"\n(?=\S)", text) if not block.startswith("#")]

    assert blocks
    assert [block for block in blocks if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_runtime_dependency_is_pinned_at_its_floor_or_above(name: str):
    pinned = pins(name)

    below = [each for each, floor in declared().items() if numbers(pinned[each]) < numbers(floor)]
    assert below == []


def test_both_locks_agree():
    dev = pins("requirements-dev.lock")

    assert {name: dev.get(name) for name in pins("requirements.lock")} == pins("requirements.lock")


def test_only_two_sets_of_versions_can_be_tried():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "lock", "--try", "sideways"],
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (2, "usage: tools/lock --try oldest|newest\n")


def test_what_is_tried_with_a_browser_is_there():
    named = re.findall(r'"(tests/e2e/[\w/]+\.py)"', (ROOT / "tools" / "lock").read_text("utf-8"))

    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []
