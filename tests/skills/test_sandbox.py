import sys
from pathlib import Path

import pytest

from browse.skills import sandbox
from browse.skills.sandbox import Bounds, Means, Sandbox

BOUNDS = Bounds(Path("/skills/one"), Path("/scratch/x"), 4321)


def found(_: str) -> str:
    return "/usr/bin/it"


def missing(_: str) -> None:
    return None


@pytest.mark.parametrize(
    ("platform", "landlock", "which", "means"),
    [
        ("linux", 7, missing, Means.LANDLOCK),
        ("linux", 1, found, Means.LANDLOCK),
        ("linux", 0, found, Means.BUBBLEWRAP),
        ("linux", 0, missing, Means.NOTHING),
        ("darwin", 0, found, Means.SANDBOX_EXEC),
        ("win32", 0, found, Means.NOTHING),
    ],
)
def test_the_best_means_are_chosen(platform, landlock, which, means):
    assert sandbox.choose(platform, landlock, which).means is means


@pytest.mark.parametrize(
    ("landlock", "said"), [(7, ""), (5, "signals"), (3, "other ports"), (1, "other ports")]
)
def test_what_an_older_kernel_does_not_cover_is_told(landlock, said):
    assert said in sandbox.choose("linux", landlock, missing).gaps


def test_nothing_is_told_as_nothing():
    assert str(sandbox.choose("linux", 0, missing)).startswith("none: an untrusted skill can read")


def test_the_launcher_is_told_the_bounds():
    words = sandbox.arguments(Sandbox(Means.LANDLOCK, ""), BOUNDS)

    assert words[:4] == ["--port", "4321", "--write", "/scratch/x"]
    assert "/skills/one" in words
    assert "/etc/passwd" not in words
    assert "/" not in words
    assert sandbox.arguments(Sandbox(Means.SANDBOX_EXEC, ""), BOUNDS) == []


def test_the_rules_for_macos_name_what_may_be_used():
    bounds = Bounds(Path('/skills/o"ne\\'), Path("/scratch"), 4321)

    rules = sandbox.mac_profile(bounds)

    assert "(deny default)" in rules
    assert '(subpath "/skills/o\\"ne\\\\")' in rules
    assert '(allow network-outbound (remote tcp "localhost:4321"))' in rules
    writes = next(line for line in rules.splitlines() if "file-write" in line)
    assert writes == '(allow file-write* (subpath "/scratch") (literal "/dev/null"))'


@pytest.mark.parametrize("is_known", [True, False])
def test_the_interpreter_is_outside_of_any_virtual_environment(monkeypatch, is_known):
    assert sys._base_executable  # type: ignore[attr-defined]  # see docs/dependencies.md
    if not is_known:
        monkeypatch.delattr(sys, "_base_executable")

    path = Path(sandbox.python())

    assert path.is_file()
    assert not path.is_symlink()
    assert not (path.parent.parent / "pyvenv.cfg").exists()
