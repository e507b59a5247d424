"""A result's shape says how much of what there was, and nothing of what it said."""

import pytest

from browse.flow.result_shape import shape_of
from browse.flow.steps import Shape
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import WRITE_FILE, Doc, Surroundings
from browse.registry.results import PageText, Result, Text, from_page
from browse.registry.signature import Argument
from support.fakes import a_spec

HERE = Surroundings("/tmp", Roots.of("/tmp"))
HELLO = from_page(url="u", text="Hello", hidden=[{"why": "x"}])
ROWS = [{"text": "Tea", "href": "/t"}, {"text": "Cake", "href": "/c"}]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, Shape()),
        (Text("Clicked"), Shape()),
        (
            PageText("Hello", "u", HELLO),
            Shape("text", chars=5),
        ),
        (PageText("Hello", "u"), Shape("text", chars=5)),
        (
            PageText("…", "u", from_page(links=ROWS)),
            Shape("rows", count=2, fields=("text", "href")),
        ),
        (
            PageText("…", "u", from_page(columns=["A", "B"], rows=[["1", "2"]] * 3)),
            Shape("rows", count=3, fields=("A", "B")),
        ),
        (PageText("…", "u", from_page(meta={"og": 1})), Shape("fields", count=1, fields=("og",))),
        (PageText("none", "u", from_page(links=[])), Shape("text", chars=4)),
    ],
)
def test_shape_of_a_result(result: Result | None, expected: Shape):
    assert shape_of(bind(a_spec(), [], HERE), result) == expected


def test_command_that_writes_a_file_gives_a_file():
    spec = a_spec(args=(Argument("out", WRITE_FILE, Doc(""), required=True),))

    assert shape_of(bind(spec, ["x.png"], HERE), Text("done")) == Shape("file")
