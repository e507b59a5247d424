import pytest

from browse.core.errors import BrowseError, Code
from browse.skills import arguments
from browse.skills.installed import Tier, read_skill
from support.skills import write_skill

HEAD = """---
host: "*"
args:
  - name: url
    description: The page.
    required: true
  - name: limit
    default: "10"
  - name: note
---
"""


@pytest.fixture
def skill(tmp_path):
    return read_skill(write_skill(tmp_path, "some-skill", head=HEAD), Tier.GLOBAL)


def test_defaults_stand_in_for_what_is_not_given(skill):
    values = arguments.check(skill, ["url=https://a.example/?x=1"])

    assert values == {"limit": "10", "url": "https://a.example/?x=1"}
    assert arguments.words(values) == ["--arg", "limit=10", "--arg", "url=https://a.example/?x=1"]


def test_a_value_may_be_empty_or_have_lines(skill):
    values = arguments.check(skill, ["url=", "note=one\ntwo\n"])

    assert (values["url"], values["note"]) == ("", "one\ntwo\n")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["url=x", "colour=red"], "it has no argument 'colour'"),
        (["limit=1"], "--arg url=… is missing"),
        (["url"], "--arg 'url' is not key=value"),
        (["url=x", "url=y"], "--arg 'url=y' is given twice"),
    ],
)
def test_what_is_wrong_is_told_with_what_it_takes(skill, given, said):
    with pytest.raises(BrowseError) as caught:
        arguments.check(skill, given)

    assert caught.value.code is Code.USAGE
    assert said in caught.value.message
    assert caught.value.hint == (
        "its arguments: url (The page., required); limit (default 10); note"
    )
