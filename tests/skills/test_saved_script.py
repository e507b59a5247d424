"""A script that becomes a skill."""

import pytest

from browse.core.errors import BrowseError
from browse.skills import staging
from browse.skills.installed import Tier, read_skill
from browse.skills.saved_script import files_of
from browse.skills.script_runs import LastScript
from support.skills import paths_in


def test_arguments_keep_their_values_but_for_secrets(tmp_path):
    args = {
        "who": "Ada",
        "key": "sk-ant-api03-" + "a" * 95,
        "long": "x" * 600,
        "quoted": 'a: "b"\n#',
    }
    files = files_of("price-list", LastScript("1", args, "shop.example.com"))

    skill = read_skill(staging.stage(paths_in(tmp_path), "price-list", files), Tier.GLOBAL)

    assert skill.about.host == "shop.example.com"
    assert {arg.name: (arg.default, arg.required) for arg in skill.about.args} == {
        "who": ("Ada", False),
        "key": (None, True),
        "long": (None, True),
        "quoted": ('a: "b"\n#', False),
    }
    assert not skill.about.trusted


def test_an_argument_that_a_skill_cannot_have_is_refused_by_its_name():
    with pytest.raises(BrowseError, match="run with --arg 'a b'"):
        files_of("price-list", LastScript("1", {"a b": "1"}, ""))


def test_a_script_without_host_and_arguments_is_for_any(tmp_path):
    files = files_of("any-page", LastScript("1", {}, ""))

    skill = read_skill(staging.stage(paths_in(tmp_path), "any-page", files), Tier.GLOBAL)

    assert (skill.about.host, skill.about.args) == ("*", ())
