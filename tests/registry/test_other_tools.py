"""Words of other tools: none is a command here, and what is named instead exists."""

import re

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.core.errors import BrowseError, Code
from browse.registry.other_tools import INSTEAD
from browse.registry.spec import declared
from browse.registry.table import CommandTable

TABLE = CommandTable(declared())


@pytest.mark.parametrize("word", INSTEAD)
def test_a_word_of_another_tool_is_told_what_to_type(word):
    with pytest.raises(BrowseError) as caught:
        TABLE.split(word.split())

    assert caught.value.code is Code.UNKNOWN_COMMAND
    assert caught.value.hint == INSTEAD[word]


@pytest.mark.parametrize("word", INSTEAD)
def test_what_is_named_instead_exists(word):
    named = re.findall(r"`browse ([a-z][^`]*)`", INSTEAD[word])

    assert named or "browse --version" in INSTEAD[word]
    for line in named:
        TABLE.split(line.split())
