"""The inbox: private files, written whole, read with distrust."""

import json
import os

import msgspec
import pytest

from browse.core.errors import BrowseError, Code
from browse.inbox import inbox as module
from browse.inbox.inbox import Inbox, checked
from browse.inbox.message import InboxMessage, PageFacts


@pytest.fixture
def changes() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def inbox(tmp_path, changes) -> Inbox:
    folder = tmp_path / ".context" / "sidebar-inbox"
    return Inbox(folder, lambda *change: changes.append(change))


def a_message(words: str = "make it green", **facts) -> InboxMessage:
    return InboxMessage("", PageFacts(url="http://shop.test/"), words, **facts)


def test_a_message_is_kept_with_its_picture_in_files_of_ones_own(inbox, changes):
    kept = inbox.add(a_message(tab=2, ref="@e5"), b"\x89PNG")

    assert inbox.all() == [kept]
    assert (kept.tab, kept.ref, kept.user_message) == (2, "@e5", "make it green")
    assert changes == [(kept.id, "new")]
    files = sorted(path for path in inbox.folder.iterdir() if path.suffix in (".json", ".png"))
    assert [path.suffix for path in files] == [".json", ".png"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert inbox.folder.stat().st_mode & 0o777 == 0o700
    assert (inbox.folder / ".gitignore").read_text() == "*\n"


def test_the_file_has_the_fields_that_other_programs_know(inbox):
    inbox.add(a_message())

    data = json.loads(next(inbox.folder.glob("*.json")).read_text())
    assert data["userMessage"] == "make it green"
    assert data["page"] == {"url": "http://shop.test/"}
    assert data["timestamp"].endswith("Z")


def test_the_newest_message_comes_first(inbox):
    inbox.folder.mkdir(parents=True)
    for day in (11, 13, 12):
        raw = {"timestamp": f"2026-01-{day}", "page": {"url": "x"}, "userMessage": "m"}
        (inbox.folder / f"2026-01-{day}-other.json").write_text(json.dumps(raw))

    assert [it.timestamp for it in inbox.all()] == ["2026-01-13", "2026-01-12", "2026-01-11"]
    assert len({it.id for it in inbox.all()}) == 3


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"[]", b"\xff", b'{"timestamp":1}', b"[" * 50_000, b" " * 70_000]
)
def test_what_is_no_message_is_skipped(inbox, raw):
    kept = inbox.add(a_message())
    (inbox.folder / "9999.json").write_bytes(raw)

    assert inbox.all() == [kept]


def test_links_and_pipes_are_not_read(inbox, tmp_path):
    inbox.add(a_message())
    secret = tmp_path / "secret"
    secret.write_text('{"timestamp":"","page":{},"userMessage":"stolen"}')
    (inbox.folder / "a.json").symlink_to(secret)
    os.mkfifo(inbox.folder / "b.json")

    assert [it.user_message for it in inbox.all()] == ["make it green"]


def test_a_file_cannot_name_a_picture_elsewhere(inbox):
    inbox.folder.mkdir(parents=True)
    raw = {
        "timestamp": "t",
        "page": {},
        "userMessage": "m",
        "picture": "/etc/passwd",
        "id": "../..",
    }
    (inbox.folder / "1.json").write_text(json.dumps(raw))

    assert inbox.all()[0].picture == ""
    assert len(inbox.all()[0].id) == 6


@pytest.mark.parametrize("depth", [0, 1])
def test_messages_are_not_written_through_a_link(tmp_path, depth):
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / ".context" / "sidebar-inbox"
    link = [folder.parent, folder][depth]
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BrowseError) as caught:
        Inbox(folder, lambda *_: None).add(a_message())

    assert caught.value.code is Code.STATE_UNUSABLE
    assert not any((tmp_path / "elsewhere").iterdir())


def test_done_is_kept_and_said_once(inbox, changes):
    kept = inbox.add(a_message())

    first, again = inbox.done(kept.id), inbox.done(kept.id)

    assert first.done
    assert again == first == inbox.all()[0]
    assert changes == [(kept.id, "new"), (kept.id, "done")]


def test_done_of_an_unknown_message_names_the_open_ones(inbox):
    kept = inbox.add(a_message())

    with pytest.raises(BrowseError) as caught:
        inbox.done("000000")

    assert kept.id in caught.value.hint


def test_clear_removes_messages_and_pictures(inbox, changes):
    inbox.add(a_message(), b"\x89PNG")
    inbox.add(a_message())

    assert inbox.clear() == 2
    assert [path.name for path in inbox.folder.iterdir()] == [".gitignore"]
    assert [state for _, state in changes] == ["new", "new", "cleared", "cleared"]


def test_a_full_inbox_loses_what_is_done_and_nothing_else(inbox, monkeypatch):
    monkeypatch.setattr(module, "MAX_MESSAGES", 2)
    first, second = inbox.add(a_message("1")), inbox.add(a_message("2"))

    with pytest.raises(BrowseError, match="limit"):
        inbox.add(a_message("3"))
    inbox.done(first.id)
    third = inbox.add(a_message("3"))

    assert {it.id for it in inbox.all()} == {second.id, third.id}


@pytest.mark.parametrize("words", ["", "  \n", "x" * 4_001])
def test_nothing_and_too_much_are_refused(words):
    with pytest.raises(BrowseError):
        checked(words)


def test_what_others_wrote_is_below_page():
    message = a_message(id="3fa9c1", tab=1)
    message = msgspec.structs.replace(message, page=PageFacts(url="u", role="button", name="Buy"))

    facts = message.facts()

    assert facts["page"] == {
        "message": "make it green",
        "url": "u",
        "role": "button",
        "name": "Buy",
    }
    assert facts["done"] is None
