"""The guide for agents."""

import re

import pytest

from browse.registry import guide
from browse.registry.spec import declared
from support.fakes import a_spec


def test_the_guide_has_every_command_of_the_daemon_and_no_other():
    text = guide.text(declared())
    listed = " ".join(re.findall(r"^- [^`]+: `(.+)`$", text, re.MULTILINE)).split()

    assert {*listed} == {spec.command for spec in declared() if not spec.runs_here}


def test_the_guide_begins_as_a_skill_and_has_no_gap_left():
    text = guide.text([a_spec(name="goto")])

    assert text.startswith("---\nname: browse\n")
    assert "{" not in text
    assert text.rstrip().endswith("- Meta: `goto`")


@pytest.mark.parametrize(
    ("name", "words"), [("find", "| `find <words>`"), ("value", "| `value @e5`")]
)
def test_what_needs_a_command_is_there_only_with_it(name, words):
    without = [spec for spec in declared() if spec.command != name]

    assert words not in guide.text(without)
    assert words in guide.text([*without, a_spec(name=name)])


def test_what_needs_a_flag_is_there_only_with_it():
    assert "--times" not in guide.text([a_spec(name="press")])
