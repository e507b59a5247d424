import pytest

from browse.flow.steps import Mark, Shape, Target
from browse.skills.recording.readings import reading, reproduces, wishes
from support.flows import COMMANDS, PAGE, ROWS, TABLE, URL, a_step

TITLE = Target("@e7", "heading", "Tea shop", "h1", "h1.top")
LINKS = Shape("rows", count=1, fields=("text", "href"))
ALL = "Tea shop name price Assam & co 3 € Ceylon 4 € one two"


def read(step, html=PAGE, frame=()):
    return reading(step, COMMANDS.find(step.command), "key", html, frame)


@pytest.mark.parametrize(
    ("step", "code", "sample"),
    [
        (a_step(1, "text", "@e7", target=TITLE, shape=Shape("text", chars=8)),
         'words(page.first("h1", "top"))', "Tea shop"),
        (a_step(1, "text", shape=Shape("text", chars=len(ALL))), 'words(page.first("body"))', ALL),
        (a_step(1, "table", "#prices", target=TABLE, shape=ROWS),
         'rows(page.first(id="prices"))',
         [{"name": "Assam & co", "price": "3 €"}, {"name": "Ceylon", "price": "4 €"}]),
        (a_step(1, "table", shape=ROWS), 'rows(page.first("table"))', None),
        (a_step(1, "table", "--nth=1", "--csv", shape=ROWS),
         'rows(dict(enumerate(page.every("table"))).get(0))', None),
        (a_step(1, "links", shape=LINKS, after=Mark(URL)), "links(page, url)",
         [{"text": "two", "href": "http://shop.example.com/two"}]),
        (a_step(1, "attrs", "#prices", target=TABLE, shape=Shape("fields", 0, 1, ("id",))),
         '(page.first(id="prices") or Node("", {})).attrs', {"id": "prices"}),
    ],
)  # fmt: skip
def test_a_parser_that_gives_the_same_is_used(step, code, sample):
    found = read(step)

    assert (found.code, found.parsed) == (code, True)
    assert sample is None or found.sample == sample


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (a_step(1, "text", "@e7", target=TITLE, shape=Shape("text", chars=60)),
         'browse.text("h1.top")'),
        (a_step(1, "table", "#prices", target=TABLE, shape=Shape("rows", 0, 3, ("name", "price"))),
         'browse.table("#prices")["rows"]'),
        (a_step(1, "table", "#prices", "--nth=1", target=TABLE, shape=Shape("rows", 0, 9)),
         'browse.page("table", "--nth=1", "#prices")["rows"]'),
        (a_step(1, "html", "#prices", target=TABLE), 'browse.html("#prices")'),
        (a_step(1, "markdown"), "browse.markdown()"),
        (a_step(1, "text", "--main", shape=Shape("text", chars=len(ALL))),
         'browse.page("text", "--main")["text"]'),
        (a_step(1, "forms", "form", target=Target("form", css="form")),
         'browse.page("forms", "form")["forms"]'),
        (a_step(1, "data", "--og"), 'browse.page("data", "--og")'),
        (a_step(1, "media"), "browse.media()"),
    ],
)  # fmt: skip
def test_else_it_is_read_live(step, code):
    found = read(step)

    assert (found.code, found.parsed) == (code, False)


def test_a_page_that_is_not_kept_is_read_live():
    found = read(a_step(1, "table", "#prices", target=TABLE, shape=ROWS), None)

    assert not found.parsed
    assert "read it again" in found.why


def test_frames_are_read_live_where_they_are():
    inner = Target("h1", css="h1.top", frame=("iframe",))

    assert read(a_step(1, "text", "h1", target=inner)).code == 'browse.text("iframe >>> h1.top")'
    assert read(a_step(1, "text"), frame=("iframe",)).code == 'browse.text("iframe >>> :root")'


def test_what_is_read_is_called_after_what_its_author_called_it():
    called = [
        next(filter(None, wishes(step)))
        for step in (
            a_step(1, "table", "#prices", target=TABLE),
            a_step(
                2, "table", "@e1", target=Target("@e1", "table", "Prices now", "table", "table")
            ),
            a_step(3, "text", "@e7", target=TITLE),
            a_step(4, "text", "h1", target=Target("h1", "heading", "Tea", "h1", "h1")),
            a_step(5, "text", "div.total", target=Target("div.total", css="div.total")),
            a_step(6, "table"),
        )
    ]

    assert called == ["prices", "Prices now", "text", "h1", "total", "rows"]


def test_words_may_be_apart_by_other_space_but_not_be_others():
    assert reproduces("x" * 97, Shape("text", chars=100))
    assert not reproduces("x" * 90, Shape("text", chars=100))
    assert not reproduces("5ab", Shape("text", chars=1))


@pytest.mark.parametrize("empty", ["", [], {}])
def test_a_parser_that_finds_nothing_reproduces_nothing(empty):
    assert not reproduces(empty, Shape("text"))
