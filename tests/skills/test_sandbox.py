import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from browse.skills import sandbox
from browse.skills.sandbox import Bounds, Means, Sandbox
from support.skills import attempts

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
    assert sandbox.arguments(Sandbox(Means.BUBBLEWRAP, ""), BOUNDS) == []


def test_the_rules_for_macos_name_what_may_be_used():
    bounds = Bounds(Path('/skills/o"ne\\'), Path("/scratch"), 4321)

    rules = sandbox.mac_profile(bounds)

    assert "(deny default)" in rules
    assert '(subpath "/skills/o\\"ne\\\\")' in rules
    assert '(allow network-outbound (remote tcp "localhost:4321"))' in rules
    writes = next(line for line in rules.splitlines() if "file-write" in line)
    assert writes == '(allow file-write* (subpath "/scratch") (literal "/dev/null"))'


@pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not here")
def test_bubblewrap_keeps_a_script_from_other_files(tmp_path):
    (tmp_path / "secret").write_text("x")
    for name in ("own", "scratch"):
        (tmp_path / name).mkdir()
    bounds = Bounds(tmp_path / "own", tmp_path / "scratch", 1)
    tries = {
        "own": "os.listdir('.')",
        "scratch": f"open({str(tmp_path / 'scratch' / 'x')!r}, 'w').write('x')",
        "secret": f"open({str(tmp_path / 'secret')!r}).read()",
        "passwords": "open('/etc/passwd').read()",
        "write own": "open('x', 'w')",
    }
    program = [sandbox.python(), "-I", "-S", "-c", attempts(**tries)]
    words = sandbox.wrapped(Sandbox(Means.BUBBLEWRAP, ""), bounds, program)

    ran = subprocess.run(words, capture_output=True, text=True)

    assert ran.returncode == 0, ran.stderr
    tried = json.loads(ran.stdout)
    assert {name for name, how in tried.items() if how == "ok"} == {"own", "scratch"}


@pytest.mark.parametrize("is_told", [True, False])
def test_the_interpreter_is_outside_of_any_virtual_environment(monkeypatch, is_told):
    assert sys._base_executable  # type: ignore[attr-defined]  # see docs/dependencies.md
    if not is_told:
        monkeypatch.delattr(sys, "_base_executable")

    path = Path(sandbox.python())

    assert path.is_file()
    assert not path.is_symlink()
    assert not (path.parent.parent / "pyvenv.cfg").exists()
