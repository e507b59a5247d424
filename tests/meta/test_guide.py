"""The guide for agents is short and names every command that an agent can use."""

import re
from pathlib import Path

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse import _exit
from browse.client import _help
from browse.egress.envelope import BEGIN, END
from browse.registry.spec import declared

GUIDE = (Path(__file__).parents[2] / "skills/browse/SKILL.md").read_text("utf-8")
MAX_TOKENS = 1_500
CHARS_PER_TOKEN = 3.4  # fewer than the tokenizers cl100k and o200k need for this text: 3.7
# What the ten commonest jobs take, and what saves most.
JOBS = [
    "goto",
    "snapshot",
    "click",
    "fill",
    "select",
    "text",
    "wait",
    "tabs",
    "screenshot",
    "state",
    "chain",
    "--snapshot",
    "-D",
    "--expect",
    "BROWSE_SNAPSHOT=1",
]


def test_guide_is_short():
    assert len(GUIDE) / CHARS_PER_TOKEN <= MAX_TOKENS


@pytest.mark.parametrize("word", JOBS)
def test_guide_has_what_the_commonest_jobs_take(word: str):
    before_the_list = GUIDE.partition("`browse help` lists all commands")[0]

    assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", before_the_list)


def test_guide_says_how_page_words_are_marked():
    assert f"`{BEGIN.format(source='', nonce='d33ab85a')}`" in GUIDE
    assert f"`{END.format(nonce='d33ab85a')}`" in GUIDE


def test_guide_begins_with_name_and_description():
    assert re.match(r"---\nname: browse\ndescription: \S.*\n---\n", GUIDE)


def test_guide_names_every_command():
    names = {spec.command for spec in declared() if not spec.runs_here}
    listed = " ".join(re.findall(r"^- [^`]+: `(.+)`$", GUIDE, re.MULTILINE)).split()

    assert names == {*listed}


def test_guide_names_every_exit_code():
    codes = GUIDE.partition("Exit codes:")[2].partition("\n\n")[0]

    assert [int(number) for number in re.findall(r"\b\d+\b", codes)] == sorted(_exit.MEANING)


def test_help_prints_the_same_guide():
    assert _help.AGENT == GUIDE
