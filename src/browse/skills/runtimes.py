"""The programs that run a skill: Python for `script.py`; bun, else node, for `script.ts`."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from browse.core.errors import BrowseError, Code
from browse.skills import environment, run_tests, sandbox
from browse.skills.installed import Skill

# Ignore variables, user packages and site-packages; write no compiled files beside the script.
FLAGS = ("-E", "-s", "-S", "-B")
# The first that runs a whole script as bun does: types in it, and `import.meta.main`.
NODE_SINCE = (24, 2)
NODE_FLAGS = ("--experimental-transform-types", "--no-warnings")
VERSION_S = 5.0
_RESOLVE = str(Path(__file__).with_name("resolve_ts.mjs"))
_TESTS_TS = "script.test.ts"
# Their own numbers, which they read at their start; and where Debian keeps parts of node.
_READ_BY_BOTH = ("/proc/self",)
_READ_BY_NODE = ("/usr/share/nodejs",)
# What node reads at its start would be another file that the sandbox refuses.
_ENVIRON = {"OPENSSL_CONF": os.devnull}


class Program(msgspec.Struct, frozen=True):
    """The words to start, and what they need: files to read, variables."""

    words: Sequence[str]
    files: tuple[str, ...] = ()
    environ: Mapping[str, str] = msgspec.field(default_factory=dict)


def missing(skill: Skill) -> str:
    """Say what is not installed that a skill needs; "" for nothing."""
    if skill.script.suffix == ".py" or _bun() or _node():
        return ""
    return f"{skill.script.name} needs bun, or node {_dotted(NODE_SINCE)} or later"


def of_script(skill: Skill, words: Sequence[str]) -> Program:
    """Return how to run a skill's script with these words."""
    script = skill.script
    if not script.is_file():
        raise _invalid(f'Skill "{skill.name}" has no {script.name} at {skill.folder}.', _WRITE_ONE)
    if script.suffix == ".py":
        return Program([sandbox.python(), *FLAGS, str(script), *words])
    if bun := _bun():
        return _with_bun(bun, "run", "--no-install", str(script), "--", *words)
    if node := _node():
        program = [node, *NODE_FLAGS, "--import", _RESOLVE, str(script), *words]
        return Program(program, (node, _RESOLVE, *_READ_BY_BOTH, *_READ_BY_NODE), _ENVIRON)
    raise _invalid(f'Skill "{skill.name}": {missing(skill)}.', _INSTALL_BUN)


def of_tests(skill: Skill) -> Program:
    """Return how to run a skill's tests."""
    python = skill.script.suffix == ".py"
    tests = skill.folder / (f"{run_tests.TESTS}.py" if python else _TESTS_TS)
    if not tests.is_file():
        raise _invalid(f'Skill "{skill.name}" has no {tests.name} at {skill.folder}.', _WRITE_TESTS)
    if python:
        folder = str(skill.folder.resolve())
        program = [sandbox.python(), *FLAGS, run_tests.__file__, folder]
        return Program(program, (run_tests.__file__,))
    if bun := _bun():
        return _with_bun(bun, "test", f"./{tests.name}")
    raise _invalid(f'Skill "{skill.name}": the tests in {tests.name} need bun.', _INSTALL_BUN)


_WRITE_ONE = "write one, or make it anew: browse skill new"
_WRITE_TESTS = "write tests: plain functions named test_…, on the pages in fixtures/"
_INSTALL_BUN = "install it: npm install -g bun"


def _with_bun(bun: str, *words: str) -> Program:
    return Program([bun, *words], (bun, *_READ_BY_BOTH))


def _bun() -> str:
    return _found("bun")


def _node() -> str:
    path = _found("node")
    return path if path and _version(path, Path(path).stat().st_mtime_ns) >= NODE_SINCE else ""


def _found(name: str) -> str:
    around = environment.of_daemon()
    places = [around.get("PATH", environment.PATH), f"{around.get('HOME', '')}/.bun/bin"]
    found = shutil.which(name, path=os.pathsep.join(places))
    return str(Path(found).resolve()) if found else ""


@lru_cache(8)
def _version(path: str, _changed: int) -> tuple[int, ...]:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=VERSION_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    found = re.match(r"v(\d{1,4})\.(\d{1,4})", done.stdout)
    return (int(found[1]), int(found[2])) if found else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _invalid(message: str, hint: str) -> BrowseError:
    return BrowseError(Code.SKILL_INVALID, message, hint=hint)
