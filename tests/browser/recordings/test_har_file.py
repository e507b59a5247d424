"""HAR files: what is saved of a recording, and what of any file can be replayed."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from browse.browser.recordings import har_file
from browse.core.errors import BrowseError, Code

LONE = "half \ud800 character"


def copied(har: Path) -> tuple[int, int]:
    with har.open("rb") as source:
        return har_file.copy_replayable(source, har.with_name("copy"))


def headers(**pairs: str) -> list[dict[str, str]]:
    return [{"name": name.replace("_", "-"), "value": value} for name, value in pairs.items()]


def an_entry(status: int = 200, **response: Any) -> dict[str, Any]:
    return {
        "request": {
            "method": "POST",
            "url": "https://a.test/?token=t",
            "headers": headers(Cookie="sid=SECRET; b=SECRET", Authorization="SECRET", accept="*/*"),
            "cookies": [{"name": "sid", "value": "SECRET"}],
            "postData": {"mimeType": "text/plain", "text": "", "_file": "posted"},
        },
        "response": {
            "status": status,
            "headers": headers(set_cookie="sid=SECRET; Path=/; HttpOnly", x_a="b"),
            "cookies": [{"name": "sid", "value": "SECRET", "path": "/"}],
            "content": {"size": 4, "_file": "body"},
            **response,
        },
    }


@pytest.fixture
def recorded(tmp_path) -> Path:
    log = {"version": "1.2", "pages": [{"title": LONE}], "entries": [an_entry(), an_entry(-1)]}
    (tmp_path / "recorded.har").write_text(json.dumps({"log": log}))
    (tmp_path / "posted").write_bytes(b"q=1")
    (tmp_path / "body").write_bytes(b"\xff\xd8\xff\xe0")
    return tmp_path / "recorded.har"


def saved(
    recorded: Path, *, with_secrets: bool = False
) -> tuple[har_file.HarSummary, dict[str, Any]]:
    finished = recorded.with_name("finished")
    told = har_file.write_har(recorded, finished, with_secrets=with_secrets)
    return told, json.loads(finished.read_text())["log"]


def test_bodies_are_put_into_the_file(recorded):
    told, log = saved(recorded)

    request, response = log["entries"][0]["request"], log["entries"][0]["response"]
    assert (told.entries, told.bodies_left_out) == (2, 0)
    assert (request["postData"]["text"], "_file" in request["postData"]) == ("q=1", False)
    assert response["content"] == {"size": 4, "text": "/9j/4A==", "encoding": "base64"}
    assert log["pages"] == [{"title": LONE}]


def test_logins_are_masked_and_the_rest_stays(recorded):
    _, log = saved(recorded)

    request, response = log["entries"][0]["request"], log["entries"][0]["response"]
    assert "SECRET" not in json.dumps(log)
    assert request["headers"] == headers(
        Cookie="sid=****; b=****", Authorization="****", accept="*/*"
    )
    assert response["headers"] == headers(set_cookie="sid=****; Path=/; HttpOnly", x_a="b")
    assert response["cookies"] == [{"name": "sid", "value": "****", "path": "/"}]
    assert request["url"] == "https://a.test/?token=****"


@pytest.mark.parametrize("upload", [b"plain", b"\xff\xd8\xff\xe0"], ids=["text", "binary"])
def test_a_form_in_parts_keeps_no_password(recorded, upload):
    kind = "multipart/form-data; boundary=xx"
    raw = json.loads(recorded.read_text())
    for entry in raw["log"]["entries"]:
        entry["request"]["postData"]["mimeType"] = kind
    recorded.write_text(json.dumps(raw))
    part = b'--xx\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    sent = part % (b"photo", upload) + part % (b"password", b"SECRET") + b"--xx--\r\n"
    (recorded.parent / "posted").write_bytes(sent)

    posted = saved(recorded)[1]["entries"][0]["request"]["postData"]

    coded = posted.get("encoding") == "base64"
    body = base64.b64decode(posted["text"]) if coded else posted["text"].encode()
    assert body == sent.replace(b"SECRET", b"****")


def test_logins_stay_when_that_was_asked_for(recorded):
    _, log = saved(recorded, with_secrets=True)

    assert json.dumps(log).count("SECRET") == 2 * 6


def test_bodies_beyond_the_limit_are_left_out_and_counted(recorded):
    with (recorded.parent / "body").open("r+b") as file:
        file.truncate(har_file.MAX_BYTES)

    told, log = saved(recorded)

    assert told.bodies_left_out == 2
    assert "left out" in log["entries"][0]["response"]["content"]["comment"]


def test_what_was_saved_can_be_replayed_except_for_what_got_no_answer(recorded, tmp_path):
    saved(recorded)

    counted = copied(tmp_path / "finished")

    entries = json.loads((tmp_path / "copy").read_text())["log"]["entries"]
    assert counted == (1, 1)
    assert entries[0]["request"]["postData"]["text"] == "q=1"
    assert entries[0]["response"]["content"]["encoding"] == "base64"


@pytest.mark.parametrize("status", [-1, 0, 101, 199, 600])
def test_an_answer_that_no_browser_takes_is_left_out(tmp_path, status):
    (tmp_path / "har").write_text(json.dumps({"log": {"entries": [an_entry(status, content={})]}}))
    raw = (tmp_path / "har").read_text().replace(', "_file": "posted"', "")
    (tmp_path / "har").write_text(raw)

    assert copied(tmp_path / "har") == (0, 1)


def test_headers_that_cannot_be_sent_are_left_out(tmp_path):
    response = {
        "status": 200,
        "headers": [
            {"name": ":status", "value": "200"},
            {"name": "x y", "value": "1"},
            {"name": "x-a", "value": "1\r\nset-cookie: a=b"},
            {"name": "x-b", "value": "2"},
        ],
    }
    entry = {"request": {"method": "GET", "url": "https://a.test/"}, "response": response}
    (tmp_path / "har").write_text("\ufeff" + json.dumps({"log": {"entries": [entry]}}))

    copied(tmp_path / "har")

    kept = json.loads((tmp_path / "copy").read_text())["log"]["entries"][0]
    assert kept["response"]["headers"] == [{"name": "x-b", "value": "2"}]


WHOLE = json.dumps({"log": {"entries": [an_entry()]}})


@pytest.mark.parametrize(
    "content",
    {
        "empty": "",
        "cut in half": WHOLE[: len(WHOLE) // 2],
        "not JSON": "<har>",
        "not a HAR": "[]",
        "no entries": '{"log": {}}',
        "entries of another kind": '{"log": {"entries": [1]}}',
        "a status that is text": WHOLE.replace("200", '"200"'),
        "bodies beside it": WHOLE,
        "nested without end": "[" * 100_000,
    }.items(),
    ids=lambda case: case[0],
)
def test_what_cannot_be_replayed_is_refused_with_the_reason(tmp_path, content):
    (tmp_path / "har").write_text(content[1])

    with pytest.raises(BrowseError) as caught:
        copied(tmp_path / "har")

    assert caught.value.code is Code.FILE_UNUSABLE
    assert "nothing has changed" in caught.value.hint
    assert not (tmp_path / "copy").exists()


def test_a_huge_file_is_refused_unread(tmp_path):
    with (tmp_path / "har").open("wb") as file:
        file.truncate(har_file.MAX_BYTES + 1)

    with pytest.raises(BrowseError, match="200,000,001 bytes"):
        copied(tmp_path / "har")
