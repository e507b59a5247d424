"""Notes as data, without their words."""

from browse.notes.listing import list_notes
from browse.notes.note import State
from browse.notes.store import Store


def test_a_note_is_listed_without_its_words(tmp_path):
    store = Store(tmp_path / "notes", State.ACTIVE)
    store.save("shop.example", "# Tea\nthe secret way in", source="agent", score=0.1)

    (row,) = list_notes(store)

    assert (row["host"], row["scope"], row["state"]) == ("shop.example", "project", "quarantined")
    assert "secret way" not in str(row)


def test_a_note_that_cannot_be_used_says_why(tmp_path):
    store = Store(tmp_path / "notes", State.GLOBAL)
    store.save("shop.example", "# Tea", source="agent", score=0.1)
    store.path("shop.example").write_bytes(b"\xff\xfe")

    (row,) = list_notes(store)

    assert (row["scope"], row["state"]) == ("global", "unusable")
    assert row["why"]
