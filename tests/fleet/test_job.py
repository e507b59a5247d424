"""What is done with each page, and what of it may be done twice."""

import pytest

from browse.core.errors import BrowseError
from browse.fleet import job


@pytest.mark.parametrize(
    "do",
    ["text", "text --main", "text | links", "goto {url} | text", "wait #x | snapshot -i", "table"],
)
def test_reading_may_be_repeated(do):
    assert job.parse(do).repeatable


@pytest.mark.parametrize(
    "do",
    [
        "click #buy",
        "text | click #buy",
        "fill #q tea",
        "js document.title",
        "screenshot",
        "skill run prices --arg url={url}",
        "cookie a=b",
        "reload",
    ],
)
def test_what_may_change_something_runs_once(do):
    assert not job.parse(do).repeatable


def test_a_page_is_opened_first_unless_the_words_name_it():
    assert job.parse("text --main").script("http://a/") == [
        ["goto", "http://a/"],
        ["text", "--main"],
    ]
    assert job.parse("goto {url}?x=1 | text").script("http://a/") == [
        ["goto", "http://a/?x=1"],
        ["text"],
    ]


def test_an_address_cannot_become_words():
    url = "http://a/' | click #buy | \"x"

    assert job.parse("text").script(url)[0] == ["goto", url]
    assert job.parse("goto {url}").script(url) == [["goto", url]]


def test_a_script_is_taken_along_by_what_is_in_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prices.py").write_text("result = 1")
    one = job.parse("run prices.py --arg url={url}")
    (tmp_path / "prices.py").write_text("result = 2")
    other = job.parse("run prices.py --arg url={url}")

    ((name, text),) = one.scripts.items()
    assert (text, one.goes, one.repeatable) == ("result = 1", False, False)
    assert one.script("http://a/", {name: f"/w/{name}"}) == [
        ["run", f"/w/{name}", "--arg", "url=http://a/"]
    ]
    assert one.steps != other.steps


@pytest.mark.parametrize("do", ["run none.py", "run", "run - --arg a=b"])
def test_a_script_that_is_not_there_is_told(do, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(BrowseError, match="cannot be read: No such file"):
        job.parse(do)


@pytest.mark.parametrize(
    ("do", "why"),
    [
        ("", "--do is missing"),
        ("|", "no commands"),
        ("txt", "Unknown command"),
        ("text --mian", "Unknown flag"),
        ("click", "is missing"),
        ("chain 'text | url'", "cannot be done with a page"),
        ("fleet down", "cannot be done with a page"),
        ("install", "cannot be done with a page"),
    ],
)
def test_mistakes_are_told_before_anything_is_sent(do, why):
    with pytest.raises(BrowseError, match=why):
        job.parse(do)
