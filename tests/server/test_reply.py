"""Building responses."""

import json

import pytest

from browse.core.errors import BrowseError, Code
from browse.dispatch.runner import KeptOutput
from browse.egress.pipeline import Wants, render
from browse.registry.results import Text
from browse.server import reply


def words(text: str, *, json: bool = False):
    return render(Text(text, {"text": text}), Wants(json=json))


@pytest.mark.parametrize(
    ("text", "encoded"),
    [("one", b"1 4\none\n"), ("one\n", b"1 4\none\n"), ("", b"1 0\n"), ("é", "1 3\né\n".encode())],
)
def test_a_frame_has_its_length_in_bytes_and_ends_a_line(text, encoded):
    assert reply.frame("1", words(text)) == encoded


def test_the_last_frame_is_the_exit_code():
    assert reply.last_frame(5) == b"x 5\n"


def test_a_row_of_a_batch_is_a_result_or_an_error():
    kept = KeptOutput()
    kept.output.append(words("one"))
    problem = BrowseError(Code.NO_MATCH, "nothing", hint="look")

    assert reply.outcome(None, kept) == {"status": 200, "result": "one"}
    assert reply.outcome(problem, kept) == {
        "status": 404, "result": None, "error": "nothing", "hint": "look", "code": "no-match",
    }  # fmt: skip


def test_a_batch_counts_its_rows():
    response = reply.batch([{"status": 200}, {"status": 404}, {"status": 200}], 1.2345)

    data = json.loads(bytes(response.body))
    assert (data["total"], data["succeeded"], data["failed"], data["duration"]) == (3, 2, 1, 1234)


def test_an_error_is_json_with_the_status_of_its_code():
    response = reply.error(BrowseError(Code.TAB_UNKNOWN, "no tab", hint="browse tabs"))

    assert response.status_code == 404
    assert response.media_type == "application/json"
    assert json.loads(bytes(response.body))["code"] == "tab-unknown"
