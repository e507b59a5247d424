"""What `route` refuses, and what it takes a text for; that it answers is shown end to end."""

import pytest

from browse.commands.network.routing import MAX_FILE_BYTES, _kind_of, _kind_of_text
from browse.core.errors import Code
from support.fakes import a_runner, run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing is said about what shall happen"),
        (["--abort", "--status", "404"], "--abort sends no answer"),
        (["--abort", "--header", "a: b"], "--abort sends no answer"),
        (["--status", "100"], "'100' is not a whole number from 200 to 599"),
        (["--status", "600"], "from 200 to 599"),
        (["--status", "ok"], "from 200 to 599"),
        (["--header", "a"], "that is not a header"),
        (["--header", "a b: c"], "that is not a header"),
        (["--header", ": c"], "that is not a header"),
        (["--header", "a: b\r\nset-cookie: c"], "a line end"),
        (["--header", "a: b\nc"], "a line end"),
        (["--header", "a: \u4e2d"], "another character that no header may have"),
        (["--content-type", "text/html\r\nx: y"], "not a type"),
        (["--body", "x", "--body", "y"], "--body specified more than once"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
async def test_a_rule_that_makes_no_sense_is_refused(words, told):
    said, error = await run(a_runner(), "route", "/api/", *words)

    assert error
    assert error.code is Code.USAGE
    assert told in said


async def test_a_body_is_given_once(tmp_path):
    (tmp_path / "f").write_text("x")

    said, error = await run(
        a_runner(), "route", "/x", "--body", "x", "--file", "f", cwd=str(tmp_path)
    )

    assert error
    assert "either --body or --file" in said


async def test_a_value_that_is_refused_is_not_repeated():
    said, _ = await run(a_runner(), "route", "/x", "--header", "cookie: hush\nhush")

    assert "hush" not in said


async def test_a_file_that_is_too_large_is_refused(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)

    said, error = await run(a_runner(), "route", "/x", "--file", "large", cwd=str(tmp_path))

    assert error
    assert error.code is Code.FILE_UNUSABLE
    assert "50,000,000 bytes" in said


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"a": 1}', "application/json"),
        (" [1]", "application/json"),
        ("{a}", "text/plain; charset=utf-8"),
        ("<p>x", "text/html; charset=utf-8"),
        ("x", "text/plain; charset=utf-8"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_text_is_taken_for_what_it_looks_like(text, kind):
    assert _kind_of_text(text) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.json", "application/json"),
        ("a.css", "text/css; charset=utf-8"),
        ("a.png", "image/png"),
        ("a", "application/octet-stream"),
    ],
)
def test_a_file_is_taken_for_what_it_is_called(name, kind):
    assert _kind_of(name) == kind
