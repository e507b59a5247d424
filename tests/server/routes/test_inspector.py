"""The inspector over HTTP: what is refused before a page is asked."""

import pytest


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/inspector/pick", {}),
        ("/inspector/pick", {"at": [1, 2], "target": "@e1"}),
        ("/inspector/pick", {"at": ["x", 2]}),
        ("/inspector/apply", {"target": "@e1"}),
        ("/inspector/apply", {"property": "color", "value": "red"}),
        ("/inspector/reset", {"count": "all"}),
    ],
)
async def test_a_bad_request_is_refused(listener, path, content):
    assert (await listener.post(path, content)).status_code == 400


async def test_an_unknown_tab_is_said(listener):
    answer = await listener.post("/inspector/pick", {"tabId": 99, "target": "h1"})

    assert answer.json()["code"] == "tab-unknown"


async def test_nothing_was_picked_yet(listener):
    async with listener.client() as client:
        assert (await client.get("/inspector")).json() == {"data": None}
