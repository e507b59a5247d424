"""Everyday browsers of a made-up home: found, counted and read."""

import sqlite3

import pytest

from browse.cookies.browsers import named
from browse.cookies.everyday import EverydayBrowsers
from browse.cookies.keyrings import Keys
from browse.cookies.wanted import Wanted
from browse.core.errors import BrowseError
from support.chromium_values import HASH, HOST, IN_2033, OLD, encrypted

CHROME = named("chrome")
NOW = 1_999_999_999.0


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    folder = tmp_path / ".config/google-chrome/Default"
    folder.mkdir(parents=True)
    database = sqlite3.connect(folder / "Cookies")
    database.execute(f"CREATE TABLE cookies ({OLD})")
    for name, value, expires in (
        ("v10", b"v10" + encrypted(HASH + b"one"), IN_2033),
        ("v11", b"v11" + encrypted(HASH + b"two"), IN_2033),
        ("v20", b"v20" + encrypted(HASH + b"three"), IN_2033),
        ("old", b"v10" + encrypted(HASH + b"four"), 0),
    ):
        row = (HOST, name, "", value, "/", expires, 0, 0, -1)
        database.execute("INSERT INTO cookies VALUES (?,?,?,?,?,?,?,?,?)", row)
    database.commit()
    database.close()
    return tmp_path


async def test_browsers_with_cookies_are_found(home):
    everyday = EverydayBrowsers(home, keys=Keys("linux"))

    found = [(it.name, [one.folder for one in its]) for it, its in await everyday.installed()]

    assert found == [("chrome", ["Default"])]


async def test_domains_are_counted_without_a_key(home):
    everyday = EverydayBrowsers(home, keys=Keys("linux"))
    profile = await everyday.profile(CHROME, None)

    assert await everyday.domains(CHROME, profile, NOW) == {"a.example": 3}


async def test_what_needs_no_keyring_comes_and_the_rest_is_told(home):
    everyday = EverydayBrowsers(home, keys=Keys("linux"))
    profile = await everyday.profile(CHROME, "Default")

    found = await everyday.read(CHROME, profile, Wanted.of("a.example"))

    assert {it.name: it.value for it in found.cookies} == {"v10": "one", "old": "four"}
    assert {it.name: it.why.split(" ")[0:3] for it in found.refused} == {
        "v11": ["the", "keyring", "gave"],
        "v20": ["it", "is", "bound"],
    }
    assert found.problem
    assert found.problem.reason == "keychain_not_found"


async def test_a_browser_that_is_not_here(home):
    with pytest.raises(BrowseError, match="Firefox has no cookies") as caught:
        await EverydayBrowsers(home, keys=Keys("linux")).profile(named("firefox"), None)

    assert caught.value.hint == "these have: chrome"


async def test_nothing_is_here(tmp_path):
    with pytest.raises(BrowseError, match="not installed") as caught:
        await EverydayBrowsers(tmp_path, keys=Keys("linux")).profile(CHROME, None)

    assert "chrome, chromium, brave" in caught.value.hint
