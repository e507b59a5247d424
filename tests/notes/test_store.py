"""The folder of notes: whole, private, and sceptical of what others did to it."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from browse.core.errors import BrowseError, Code
from browse.notes.note import State
from browse.notes.store import Store

HOST = "example.com"


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "notes", State.ACTIVE)


def save(store: Store, body: str, host: str = HOST):
    return store.save(host, body, source="agent", score=0.0)


def trust(store: Store) -> None:
    for _ in range(3):
        store.change(HOST, lambda note: note.shown(believed=State.ACTIVE, score=0.0, now=""))


def body(store: Store) -> str:
    note = store.get(HOST)
    return note.body if note else ""


def test_a_note_is_saved_for_its_owner_alone(store):
    save(store, "one\n")

    files = [store.path(HOST), store.path(HOST).with_name(f"{HOST}.json")]
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600, 0o600]
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert store.path(HOST).read_text() == "one\n"
    assert store.hosts() == [HOST]


def test_a_new_version_begins_in_quarantine(store):
    save(store, "one\n")
    trust(store)

    note = save(store, "two\n")

    assert (note.version, note.state, note.uses) == (2, State.QUARANTINED, 0)


def test_rollback_is_exact_and_goes_on_back(store):
    save(store, "one\n")
    trust(store)
    save(store, "two\n")
    save(store, "three\n")

    assert store.restore(HOST).body == "two\n"
    assert store.restore(HOST).state is State.ACTIVE
    assert store.path(HOST).read_text() == "one\n"
    with pytest.raises(BrowseError, match="no version before"):
        store.restore(HOST)
    assert body(store) == "one\n"


def test_what_was_removed_comes_back_as_it_was(store):
    save(store, "one\n")
    save(store, "two\n")
    store.remove(HOST)

    assert store.get(HOST) is None
    assert store.hosts() == []
    assert store.restore(HOST).body == "two\n"
    assert body(store) == "two\n"


def test_a_note_that_was_edited_by_hand_is_a_new_version_in_quarantine(store):
    save(store, "one\n")
    trust(store)
    store.path(HOST).write_text("one, and more\r\n")

    note = store.get(HOST)

    assert (note.body, note.version, note.state) == ("one, and more\n", 2, State.QUARANTINED)
    assert note.source == "human"
    trust(store)
    assert store.get(HOST).state is State.ACTIVE
    assert store.restore(HOST).body == "one\n"


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff\xfe", b'{"host": "other.example"}'])
def test_a_damaged_record_means_quarantine(store, raw):
    save(store, "one\n")
    trust(store)
    (store.folder / f"{HOST}.json").write_bytes(raw)

    assert store.get(HOST).state is State.QUARANTINED
    assert save(store, "two\n").version == 2


@pytest.mark.parametrize("raw", [b"\xff\xfe\0", b"", b"a\0", b"x" * 20_000])
def test_garbage_is_told_and_can_be_undone(store, raw):
    save(store, "one\n")
    store.path(HOST).write_bytes(raw)

    with pytest.raises(BrowseError) as caught:
        store.get(HOST)

    assert caught.value.code is Code.NOTE
    assert "rollback" in caught.value.hint
    assert store.restore(HOST).body == "one\n"
    assert body(store) == "one\n"


def test_garbage_can_be_removed_and_replaced(store):
    save(store, "one\n")
    store.path(HOST).write_bytes(b"\xff")
    assert save(store, "two\n").version == 2
    store.path(HOST).write_bytes(b"\xff")

    assert store.remove(HOST) is True

    assert store.restore(HOST).body == "two\n"


def test_what_was_never_a_note_is_removed_for_good(store):
    save(store, "one\n", "other.example")
    store.path(HOST).write_bytes(b"\xff")

    assert store.remove(HOST) is False
    assert not store.has(HOST)


def test_links_are_not_followed(store, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret\n")
    save(store, "one\n")
    store.path(HOST).unlink()
    store.path(HOST).symlink_to(secret)

    with pytest.raises(BrowseError):
        store.get(HOST)
    save(store, "two\n")
    assert secret.read_text() == "a secret\n"
    assert not store.path(HOST).is_symlink()


def test_a_pipe_does_not_hang(store):
    save(store, "one\n")
    store.path(HOST).unlink()
    os.mkfifo(store.path(HOST))

    with pytest.raises(BrowseError):
        store.get(HOST)


def test_a_folder_that_is_a_link_is_not_written_to(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "notes").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(BrowseError, match="is a link"):
        save(Store(tmp_path / "notes", State.ACTIVE), "one\n")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(BrowseError) as caught:
        save(Store(tmp_path / "file" / "notes", State.ACTIVE), "one\n")

    assert caught.value.code is Code.STATE_UNUSABLE


def test_a_folder_that_is_not_there_has_no_notes(store, tmp_path):
    assert store.hosts() == []
    assert store.get(HOST) is None
    (tmp_path / "file").write_text("")
    assert Store(tmp_path / "file", State.ACTIVE).hosts() == []


def test_many_saves_at_once_lose_nothing(store):
    with ThreadPoolExecutor(8) as pool:
        notes = list(pool.map(lambda n: save(store, f"{n}\n"), range(8)))

    assert sorted(note.version for note in notes) == list(range(1, 9))
    assert store.get(HOST).version == 8


def test_a_host_without_a_note_is_named_in_the_error(store):
    save(store, "one\n", "other.example")

    for attempt in (store.remove, store.restore):
        with pytest.raises(BrowseError) as caught:
            attempt(HOST)
        assert HOST in caught.value.message
        assert "other.example" in caught.value.hint


def test_files_of_others_are_no_notes(store):
    save(store, "one\n")
    for name in ("README.md", "..md", "www.example.org.md", "a b.md"):
        (store.folder / name).write_text("x")

    assert store.hosts() == [HOST]
