"""Files of cookies: what they may look like, and what is refused."""

import json

import pytest

from browse.commands.state.cookies import _read, _ready
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots, check_read

HOST = "www.a.example"


@pytest.fixture
def read(tmp_path):
    def read(content: object) -> list[dict]:
        (tmp_path / "c.json").write_text(
            content if isinstance(content, str) else json.dumps(content)
        )
        path = check_read("c.json", cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))
        return [_ready(row, HOST) for row in _read(path)]

    return read


def test_what_is_missing_is_taken_from_the_page(read):
    assert read([{"name": "a", "value": "b"}]) == [
        {
            "name": "a",
            "value": "b",
            "domain": HOST,
            "path": "/",
            "httpOnly": False,
            "secure": False,
        }
    ]


def test_a_saved_state_is_taken_as_well(read):
    rows = read({"cookies": [{"name": "a", "value": "b", "domain": ".a.example"}], "origins": []})

    assert [row["domain"] for row in rows] == [".a.example"]


def test_the_spelling_of_extensions_is_understood(read):
    row = {"name": "a", "value": "b", "expirationDate": 1.5e9, "sameSite": "no_restriction"}

    (made,) = read([{**row, "hostOnly": True, "storeId": "0"}])

    assert (made["expires"], made["sameSite"]) == (1.5e9, "None")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[1]",
        '{"a": 1}',
        '[{"name": "a"}]',
        '[{"name": "a", "value": 1}]',
        "null",
        "\udcff",
    ],
)
def test_a_broken_file_is_refused_whole(read, tmp_path, content):
    if content == "\udcff":
        (tmp_path / "c.json").write_bytes(b"\xff\xfe")
        content = (tmp_path / "c.json").read_text("latin-1")

    with pytest.raises(BrowseError) as caught:
        read(content)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert "No cookie was set." in caught.value.message


def test_a_cookie_of_another_site_is_refused(read):
    with pytest.raises(BrowseError) as caught:
        read([{"name": "a", "value": "b", "domain": "evil.example"}])

    assert caught.value.message == (
        'Cookie domain "evil.example" does not match current page domain "www.a.example". '
        "Use the target site first. No cookie was set."
    )
