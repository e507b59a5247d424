"""The inbox over HTTP: what is refused before a page is asked."""

import pytest


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"message": 1},
        {"message": "m", "at": [1]},
        {"message": "m", "at": [1, 2], "area": [1, 2, 3, 4]},
    ],
)
async def test_a_bad_message_is_refused(listener, content):
    assert (await listener.post("/inbox", content)).status_code == 400


async def test_an_unknown_tab_is_refused(listener):
    answer = await listener.post("/inbox", {"message": "m", "tabId": 99})

    assert answer.json()["code"] == "tab-unknown"


async def test_an_empty_inbox_has_no_messages(listener):
    async with listener.client() as client:
        assert (await client.get("/inbox")).json() == {"messages": []}
