"""What `./check` says at its end: what was skipped and why, and how to repeat what failed."""

import argparse
import sys
from pathlib import Path

import pytest
from tools.apps import IN_CHECK
from tools.check import Outcome, Step, apps_for, compiling, run_tests

from support.cli import until

TESTS = Path(__file__).parents[1]
SAMPLE = """
import pytest

def test_well(): pass

@pytest.mark.skipif(True, reason="no screen here")
def test_seen(): pass

@pytest.mark.skipif(True, reason="no screen here")
def test_shown(): pass

@pytest.mark.parametrize("word", ["a b"])
def test_ill(word): assert word == "c"

@pytest.fixture
def broken(): raise OSError("gone")

def test_unready(broken): pass
"""


def pytest_step(folder: Path, *options: str) -> Step:
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); import pytest; sys.exit(pytest.main())"
    own = ("-q", "-p", "support.outcome", "-p", "no:cacheprovider", "--rootdir", str(folder))
    return Step("tests", (sys.executable, "-I", "-c", code, *own, *options, str(folder)))


@pytest.fixture
def sample(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_sample.py").write_text(SAMPLE)
    return tmp_path


def test_what_failed_can_be_repeated_by_the_printed_command(sample, capfd):
    failed = run_tests(pytest_step(sample, "-p", "randomly", "--randomly-seed=7"))

    assert failed == {
        "tests": "./check 'test_sample.py::test_ill[a b]' test_sample.py::test_unready"
        " -- --randomly-seed=7"
    }
    assert "[check] 2 tests skipped: no screen here (2)\n" in capfd.readouterr().out


def test_a_run_without_failures_says_only_what_was_skipped(sample, capfd):
    failed = run_tests(pytest_step(sample, "-k", "well"))

    assert failed == {}
    assert "[check] no test was skipped\n" in capfd.readouterr().out


def test_where_the_tests_never_ran_the_whole_step_is_repeated(tmp_path):
    step = Step("tests", (sys.executable, "-I", "-c", "raise SystemExit(4)"))

    failed = run_tests(step)

    assert failed["tests"].endswith(" -I -c 'raise SystemExit(4)'")


def test_tests_are_compiled_while_other_checks_run(sample):
    compiled = sample / "__pycache__"

    with compiling([str(sample)]):
        until(lambda: any(compiled.glob("test_sample.*.pyc")))


def test_many_failures_are_repeated_by_what_pytest_remembers():
    outcome = Outcome({}, [f"tests/test_x.py::test_{number}" for number in range(11)], None)

    assert outcome.again() == "./check -- --last-failed"


def test_the_reasons_are_added_up_in_one_line():
    outcome = Outcome({"no screen": 2, "needs root": 1}, [], None)

    assert outcome.summary() == "3 tests skipped: needs root (1); no screen (2)"


def test_a_step_is_repeated_by_a_command_that_works_in_the_checkout():
    step = Step("types", (str(TESTS.parent / ".venv" / "bin" / "python"), "-I", "-m", "mypy"))

    assert step.again() == ".venv/bin/python -I -m mypy"


@pytest.mark.parametrize(
    ("named", "installed"),
    [
        ([], IN_CHECK),
        (["-k", "deadline"], IN_CHECK),
        (["tests/registry"], ()),
        (["tests/apps/test_todomvc.py", "-x"], ("todomvc",)),
    ],
)
def test_only_the_applications_that_are_driven_are_installed(named, installed):
    steps = apps_for(argparse.Namespace(pytest=named))

    assert [step.command[-len(installed) :] for step in steps] == ([installed] if installed else [])
