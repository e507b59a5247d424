import pytest

from browse.core.errors import BrowseError, Code
from browse.skills import trash
from browse.skills.shelf import Tier
from support.skills import write_skill


def contents(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_what_is_removed_can_be_had_back_whole(tmp_path):
    folder = write_skill(tmp_path, "one", sdk=True)
    before = contents(folder)

    place = trash.bury(tmp_path, Tier.GLOBAL, "one")
    assert not folder.exists()
    assert trash.dig_up(tmp_path, Tier.GLOBAL, "one") == place

    assert contents(folder) == before
    assert not place.exists()


def test_the_newest_comes_back_or_the_one_that_is_named(tmp_path):
    places = []
    for text in ("first", "second"):
        write_skill(tmp_path, "one", text)
        places.append(trash.bury(tmp_path, Tier.GLOBAL, "one"))

    trash.dig_up(tmp_path, Tier.GLOBAL, "one")
    assert (tmp_path / "one" / "script.py").read_text() == "second"
    trash.bury(tmp_path, Tier.GLOBAL, "one")
    trash.dig_up(tmp_path, Tier.GLOBAL, "one", places[0].name)

    assert (tmp_path / "one" / "script.py").read_text() == "first"


def test_nothing_is_overwritten(tmp_path):
    write_skill(tmp_path, "one", "old")
    place = trash.bury(tmp_path, Tier.GLOBAL, "one")
    write_skill(tmp_path, "one", "new")

    with pytest.raises(BrowseError) as caught:
        trash.dig_up(tmp_path, Tier.GLOBAL, "one")

    assert caught.value.code is Code.SKILL_EXISTS
    assert (tmp_path / "one" / "script.py").read_text() == "new"
    assert place.exists()


def test_a_longer_name_is_another_skill(tmp_path):
    write_skill(tmp_path, "one-two")
    trash.bury(tmp_path, Tier.PROJECT, "one-two")

    with pytest.raises(BrowseError) as caught:
        trash.dig_up(tmp_path, Tier.PROJECT, "one")

    assert caught.value.code is Code.SKILL_UNKNOWN


@pytest.mark.parametrize("which", ["../one", "one-2020", "/etc"])
def test_only_a_tombstone_can_be_named(tmp_path, which):
    write_skill(tmp_path, "one")
    trash.bury(tmp_path, Tier.PROJECT, "one")

    with pytest.raises(BrowseError) as caught:
        trash.dig_up(tmp_path, Tier.PROJECT, "one", which)

    assert caught.value.code is Code.SKILL_UNKNOWN


def test_what_is_not_there_cannot_be_removed(tmp_path):
    with pytest.raises(BrowseError) as caught:
        trash.bury(tmp_path, Tier.PROJECT, "one")

    assert caught.value.message == 'Skill "one" not found in tier project.'
    assert "--global" in caught.value.hint
