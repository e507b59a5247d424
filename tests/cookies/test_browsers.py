"""The table of everyday browsers."""

from pathlib import Path

import pytest

from browse.cookies.browsers import BROWSERS, named
from browse.core.errors import Usage

HOME = Path("/home/anna")


@pytest.mark.parametrize(
    ("word", "name"), [("chrome", "chrome"), ("Google-Chrome", "chrome"), ("perplexity", "comet")]
)
def test_a_browser_is_found_by_any_of_its_names(word, name):
    assert named(word).name == name


def test_an_unknown_browser_is_told_what_was_meant():
    with pytest.raises(Usage, match="Did you mean 'firefox'") as caught:
        named("firefx")

    assert "chrome, chromium, brave, edge, arc, comet, vivaldi, opera, firefox" in caught.value.hint


def test_profiles_are_looked_for_where_the_platform_has_them():
    chrome = named("chrome")

    assert chrome.folders(HOME, "linux")[0] == HOME / ".config/google-chrome"
    assert chrome.folders(HOME, "linux", "/etc/anna")[0] == Path("/etc/anna/google-chrome")
    assert chrome.folders(HOME, "darwin") == [HOME / "Library/Application Support/Google/Chrome"]
    assert named("arc").folders(HOME, "linux") == []
    assert chrome.folders(HOME, "win32") == []


def test_names_stand_once_and_keys_have_a_name():
    words = [word for it in BROWSERS for word in (it.name, *it.aliases)]

    assert len(words) == len(set(words))
    assert all(it.product for it in BROWSERS if it.engine == "chromium")
    assert all(it.applications for it in BROWSERS if it.engine == "chromium" and it.linux)
