"""The catalogue of errors."""

from pathlib import Path

import pytest

from browse import _exit
from browse.core.errors import CATALOGUE, BrowseError, Code, Usage

DOCS = Path(__file__).parents[2] / "docs" / "errors.md"


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_status_an_exit_code_and_a_meaning(code):
    row = CATALOGUE[code]

    assert 400 <= row.status <= 599
    assert row.exit in _exit.MEANING
    assert row.exit != _exit.OK
    assert row.meaning.endswith(".")


@pytest.mark.parametrize("code", Code)
def test_codes_are_kebab_case(code):
    assert code.value == code.name.lower().replace("_", "-")


def test_status_and_exit_code_follow_from_the_code():
    error = BrowseError(Code.TAB_BUSY, "Tab 1 is busy.", hint="wait", page="words")

    assert (error.status, error.exit) == (409, _exit.TIMEOUT)
    assert str(error) == error.message == "Tab 1 is busy."
    assert error.page == "words"


def test_usage_is_an_error_about_the_words_of_a_command():
    error = Usage("no", hint="Usage: browse no")

    assert error.code is Code.USAGE
    assert error.exit == _exit.USAGE
    assert error.page == ""


def test_an_error_may_carry_the_exit_code_of_a_program():
    assert BrowseError(Code.SKILL_FAILED, "x", hint="y", exit=42).exit == 42
    assert BrowseError(Code.SKILL_FAILED, "x", hint="y", exit=0).exit == 0
