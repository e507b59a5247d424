"""Pictures as content."""

import base64

import pytest

from browse.mcp import pictures


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("screenshot",), ("screenshot", "--json", "--base64")),
        (("screenshot", "@e3"), ("screenshot", "--json", "--base64", "@e3")),
        (("screenshot", "--base64"), ("screenshot", "--json", "--base64")),
        (("screenshot", "page.PNG"), ("screenshot", "--json", "page.PNG")),
        (("responsive",), ("responsive", "--json")),
    ],
)
def test_nothing_is_written_unless_a_file_is_named(words, asked):
    assert pictures.asked(words) == asked


def test_what_is_asked_for_stands_behind_the_command():
    words = ("--on", "m3", "screenshot", "main")

    assert pictures.asked(words, 2) == ("--on", "m3", "screenshot", "--json", "--base64", "main")


def test_a_picture_in_the_reply_is_taken_out_of_it():
    facts = {"data": pictures.INLINE + "AAAA", "width": 3}

    blocks = pictures.content(facts)

    assert blocks == [{"type": "image", "data": "AAAA", "mimeType": "image/png"}]
    assert facts == {"width": 3}


def test_one_that_hosts_refuse_is_told_instead(monkeypatch):
    monkeypatch.setattr(pictures, "MAX_BYTES", 2)
    facts = {"data": pictures.INLINE + "AAAA"}

    assert pictures.content(facts) == []
    assert "--viewport" in facts["picture"]


def test_saved_pictures_are_read_once_each_and_never_those_that_the_page_names(tmp_path):
    mine, theirs = tmp_path / "a.webp", tmp_path / "b.png"
    mine.write_bytes(b"mine")
    theirs.write_bytes(b"theirs")
    part = {"path": str(mine)}
    facts = {
        **part,
        "parts": [part, {"path": f"{tmp_path}/gone.png"}],
        "page": {"path": str(theirs)},
    }

    blocks = pictures.content(facts)

    assert [(base64.b64decode(it["data"]), it["mimeType"]) for it in blocks] == [
        (b"mine", "image/webp")
    ]
    assert pictures.content(facts, saved=False) == []
