"""A script with the SDK preloaded, as a program of its own, without a daemon."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import browse

ROOT = str(Path(browse.__file__).parent)
RUN = "import sys; sys.path.append(sys.argv.pop(1)); from sdk.run_script import main; main()"
ENVIRON = {"GSTACK_PORT": "1", "GSTACK_SKILL_TOKEN": "t", "PATH": "/usr/bin"}


def told(tmp_path: Path, code: str, *words: str) -> tuple[dict[str, Any], str, int]:
    """Run a script; return what it told at its end, what it printed, and its exit code."""
    file = tmp_path / "script.py"
    file.write_text(code)
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN, ROOT, str(file), *words],
        capture_output=True,
        text=True,
        env=ENVIRON,
    )
    return json.loads(ran.stdout), ran.stderr, ran.returncode


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("1 + 1", 2),
        ("result = [1]\n2", [1]),
        ("x = 1", None),
        ("", None),
        ("object()", None),
        ("float('nan')", None),
        ("result = None\n5", None),
        ("import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int = 4\nA().x", 4),
        ("__name__", "__main__"),
    ],
)
def test_the_result_is_what_is_called_so_or_the_last_line(tmp_path, code, result):
    assert told(tmp_path, code)[0] == {"result": result}


def test_arguments_and_words_are_apart(tmp_path):
    code = "import sys\nresult = [args, sys.argv[1:]]"

    found = told(tmp_path, code, "--arg", "a=b=c", "--arg", "x=", "one", "--two")[0]

    assert found["result"] == [{"a": "b=c", "x": ""}, ["one", "--two"]]


def test_what_is_printed_stays_apart_and_in_order(tmp_path):
    code = "import sys\nprint('one \\udcff')\nprint('two', file=sys.stderr)\nprint('three', end='')"

    assert told(tmp_path, code)[1] == "one \\udcff\ntwo\nthree"


@pytest.mark.parametrize(
    ("code", "exit"), [("exit", 0), ("exit(0)", 0), ("exit(3)", 3), ("exit('no')", 1)]
)
def test_a_script_may_end_itself(tmp_path, code, exit):
    found, printed, status = told(tmp_path, f"import sys\nsys.{code}")

    assert (found.get("exit", 0), status) == (exit, exit)
    assert printed == ("no\n" if "no" in code else "")


def test_the_deepest_line_of_the_script_is_told(tmp_path):
    found, printed, status = told(tmp_path, "def f():\n  [].pop()\n\nf()")

    assert found["error"]["line"] == 2
    assert found["error"]["text"] == "[].pop()"
    assert found["error"]["what"] == "IndexError: pop from empty list"
    assert (printed, status) == ("", 1)


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("class E(Exception):\n  def __str__(self): raise OSError\nraise E", "E"),
        ("raise BrowseError(5, code=7, page=None)", "5"),
        ("import sys; sys.stdout.close(); print(1)", "ValueError: I/O operation on closed file."),
    ],
)
def test_an_odd_error_is_told_too(tmp_path, code, what):
    found, _, status = told(tmp_path, code)

    assert (found["error"]["what"], status) == (what, 1)


def test_a_command_that_fails_is_told_with_its_hint(tmp_path):
    error = told(tmp_path, "page.press('Enter', times=2)")[0]["error"]

    assert (error["line"], error["code"]) == (1, "unreachable")
    assert "no daemon answers" in error["what"]
    assert error["hint"]
