"""How a captured answer is written down."""

import json
from types import SimpleNamespace
from typing import Any

from browse.browser.logs.response_bodies import MAX_BODY_BYTES, CapturedBody, ResponseBodies


def exported(kind: str, body: bytes | None) -> dict:
    captured = CapturedBody(0.0, "https://a.example/", 200, {"content-type": kind}, body, 9)
    return json.loads(captured.line("then"))


def test_text_is_text_without_its_secrets_and_still_json():
    row = exported(
        "application/json", b'{"access_token": "abcdefgh", "otp": 123456, "name": "ada"}'
    )

    assert json.loads(row["body"]) == {"access_token": "****", "otp": "****", "name": "ada"}
    assert (row["bodyEncoding"], row["bodyTruncated"]) == ("utf-8", False)


def test_anything_else_is_base64():
    row = exported("image/png", b"\x89PNG")

    assert (row["body"], row["bodyEncoding"]) == ("iVBORw==", "base64")


def test_a_body_that_was_not_kept_is_said_to_be_missing():
    row = exported("text/html", None)

    assert (row["body"], row["bodyTruncated"], row["size"]) == (None, True, 9)


def large() -> Any:
    """Make a response whose body is not fetched."""
    headers = {"content-length": str(MAX_BODY_BYTES + 1)}
    return SimpleNamespace(status=200, url="https://a.example/", headers=headers)


async def test_responses_are_listed_in_the_order_of_their_requests():
    bodies = ResponseBodies()
    await bodies.start(None)
    for at in (2.0, 1.0, 3.0):  # the browser may tell of their ends in another order
        bodies.offer(at, "https://a.example/", large())
    await bodies.stop()

    assert [captured.at for captured in bodies] == [1.0, 2.0, 3.0]
