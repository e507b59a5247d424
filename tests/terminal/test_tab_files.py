"""The files about tabs."""

import json
from pathlib import Path

import pytest

from browse.core.paths import Paths
from browse.terminal.tab_files import NOTE, TabFacts, TabFiles

FIRST = TabFacts(3, "https://a.example/", "A", is_current=True)
SECOND = TabFacts(7, "https://b.example/x", "B\x1b[31m \ud800", is_current=False)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "browse.json", tmp_path / "home")


def read(path: Path) -> dict[str, object]:
    return dict(json.loads(path.read_text("utf-8")))


def test_tabs_have_the_numbers_of_the_daemon_and_page_words_are_marked(paths: Paths):
    TabFiles(paths).write([FIRST, SECOND], "start")

    told = read(paths.tabs_file)
    assert told["note"] == NOTE
    assert told["reason"] == "start"
    assert told["tabs"] == [
        {"tabId": 3, "url": "https://a.example/", "title": "A", "active": True},
        {"tabId": 7, "url": "https://b.example/x", "title": "B\x1b[31m \ufffd", "active": False},
    ]
    active = {"tabId": 3, "url": "https://a.example/", "title": "A", "note": NOTE}
    assert read(paths.active_tab_file) == active
    assert paths.tabs_file.stat().st_mode & 0o777 == 0o600
    assert b"\x1b" not in paths.tabs_file.read_bytes()


def test_the_tab_that_the_person_looks_at_is_found_by_its_address(paths: Paths):
    TabFiles(paths).write([FIRST, SECOND], "tabSwitch", "https://b.example/x")

    assert read(paths.active_tab_file)["tabId"] == 7


@pytest.mark.parametrize("looked_at", ["", "https://elsewhere.example/", "https://twice.example/"])
def test_an_address_that_tells_nothing_leaves_the_current_tab(paths: Paths, looked_at: str):
    twice = [TabFacts(n, "https://twice.example/", "", is_current=False) for n in (8, 9)]
    TabFiles(paths).write([FIRST, *twice], "tabSwitch", looked_at)

    assert read(paths.active_tab_file)["tabId"] == 3


def test_what_has_not_changed_is_not_written_again(paths: Paths):
    files = TabFiles(paths)
    files.write([FIRST], "start")
    before = paths.tabs_file.stat().st_ino
    files.write([FIRST], "command")

    assert paths.tabs_file.stat().st_ino == before


def test_pages_of_the_browser_itself_are_not_described(paths: Paths):
    own = TabFacts(1, "chrome-extension://abc/panel.html", "ours", is_current=True)
    TabFiles(paths).write([own], "start")

    told = {"tabId": 1, "url": "", "title": "", "note": NOTE}
    assert read(paths.active_tab_file) == told


def test_they_are_removed_and_may_be_gone_already(paths: Paths):
    files = TabFiles(paths)
    files.write([FIRST], "start")
    paths.tabs_file.unlink()
    files.remove()

    assert not paths.active_tab_file.exists()
