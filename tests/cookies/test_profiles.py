"""Profiles: found with names and accounts, and chosen."""

import json

import pytest

from browse.cookies.browsers import named
from browse.cookies.profiles import choose, find
from browse.core.errors import BrowseError, Usage


@pytest.fixture
def chrome(tmp_path):
    for folder, file in (("Profile 2", "Cookies"), ("Default", "Network/Cookies"), ("X", "else")):
        (tmp_path / folder / file).parent.mkdir(parents=True)
        (tmp_path / folder / file).touch()
    told = {"account_info": [{"email": "anna@a.example"}], "profile": {"name": "Work"}, "other": 1}
    (tmp_path / "Profile 2" / "Preferences").write_text(json.dumps(told))
    (tmp_path / "Default" / "Preferences").write_text("{broken")
    return find(named("chrome"), [tmp_path, tmp_path / "not there"])


def test_chromium_s_profiles_have_their_account(chrome):
    assert [(it.folder, it.name, it.account, it.title) for it in chrome] == [
        ("Default", "", "", "Default"),
        ("Profile 2", "Work", "anna@a.example", "anna@a.example"),
    ]
    assert chrome[0].database.parts[-2:] == ("Network", "Cookies")


def test_a_second_installation_has_names_of_its_own(tmp_path):
    for place in ("one", "two"):
        (tmp_path / place / "Default").mkdir(parents=True)
        (tmp_path / place / "Default/Cookies").touch()

    found = find(named("chrome"), [tmp_path / "one", tmp_path / "two"])

    assert [it.folder for it in found] == ["Default", "Default (2)"]
    assert choose(named("chrome"), found, "Default (2)").database.parts[-3] == "two"


def test_opera_has_no_folders_for_profiles(tmp_path):
    (tmp_path / "Cookies").touch()

    (only,) = find(named("opera"), [tmp_path])

    assert only.folder == "Default"


@pytest.mark.parametrize("word", ["Profile 2", "profile 2", "work", "ANNA@a.example"])
def test_a_profile_is_chosen_by_folder_name_or_account(chrome, word):
    assert choose(named("chrome"), chrome, word).folder == "Profile 2"


def test_without_a_word_the_first_is_taken(chrome):
    assert choose(named("chrome"), chrome, None).folder == "Default"


@pytest.mark.parametrize("word", ["..", "../X", "a/b", "a\\b", "a\nb", "\0", " ", ""])
def test_what_is_no_name_of_a_profile(chrome, word):
    with pytest.raises(Usage, match="is not the name of a profile"):
        choose(named("chrome"), chrome, word)


def test_a_profile_that_is_not_there(chrome):
    with pytest.raises(BrowseError, match="has no profile 'X'") as caught:
        choose(named("chrome"), chrome, "X")

    assert "--list" in caught.value.hint


@pytest.mark.parametrize(
    "ini", ["[Profile0]\nName=mine\nPath=b.mine\n[Install1]\nDefault=b.mine\n", "]"]
)
def test_firefox_s_profiles(tmp_path, ini):
    (tmp_path / "profiles.ini").write_text(ini)
    for folder in ("a.old", "b.mine", "c.empty"):
        (tmp_path / folder).mkdir()
    (tmp_path / "a.old/cookies.sqlite").touch()
    (tmp_path / "b.mine/cookies.sqlite").touch()

    found = find(named("firefox"), [tmp_path])

    told = [("b.mine", "mine"), ("a.old", "")] if "mine" in ini else [("a.old", ""), ("b.mine", "")]
    assert [(it.folder, it.name) for it in found] == told


def test_a_path_in_profiles_ini_leads_nowhere_else(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/cookies.sqlite").touch()
    (tmp_path / "firefox").mkdir()
    ini = f"[Profile0]\nPath=../elsewhere\n[Profile1]\nPath={tmp_path}/elsewhere\n"
    (tmp_path / "firefox/profiles.ini").write_text(ini)

    assert find(named("firefox"), [tmp_path / "firefox"]) == []
