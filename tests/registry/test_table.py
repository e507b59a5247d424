"""Looking commands up."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.registry.table import Table
from support.fakes import a_spec

TABLE = Table([a_spec(name="goto"), a_spec(name="load-html", aliases=("setcontent",))])


@pytest.mark.parametrize("word", ["load-html", "setcontent"])
def test_a_command_is_found_by_name_and_by_alias(word):
    assert TABLE.find(word).name == "load-html"


@pytest.mark.parametrize("word", ["", "GOTO", "go to", "\0", "x" * 1_000_000])
def test_another_word_is_an_unknown_command(word):
    with pytest.raises(BrowseError) as caught:
        TABLE.find(word)

    assert caught.value.code is Code.UNKNOWN_COMMAND
    assert caught.value.hint == "Available commands: goto, load-html"
    assert len(caught.value.message) < 200


def test_a_slip_is_answered_with_what_was_meant():
    with pytest.raises(BrowseError, match="Did you mean 'goto'"):
        TABLE.find("goot")


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        (["goto", "x"], ["x"]),
        (["--json", "goto", "x"], ["--json", "x"]),
        (["--tab-id", "2", "goto", "x"], ["--tab-id", "2", "x"]),
        (["goto", "goto"], ["goto"]),
    ],
)
def test_flags_may_stand_before_the_command(words, rest):
    spec, found = TABLE.split(words)

    assert spec.name == "goto"
    assert found == rest


def test_flags_alone_are_no_command():
    with pytest.raises(BrowseError, match="--json"):
        TABLE.split(["--json"])
