"""The activity feed over HTTP."""

import pytest


async def test_the_history_tells_what_ran(listener):
    await listener.post("/command", {"command": "say", "args": ["x"]})

    async with listener.client() as client:
        told = (await client.get("/activity/history?limit=1")).json()

    assert [event["command"] for event in told["entries"]] == ["say"]
    assert told["totalAdded"] == 2
    assert told["subscribers"] == 0


@pytest.mark.parametrize("query", ["limit=-1", "limit=x", "limit=" + "9" * 99])
async def test_a_bad_number_is_refused(listener, query):
    async with listener.client() as client:
        assert (await client.get(f"/activity/history?{query}")).status_code == 400


async def test_the_ticket_is_a_cookie_that_scripts_cannot_read(listener):
    answer = await listener.post("/sse-session")

    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("gstack_sse=")
    assert {"HttpOnly", "Max-Age=1800", "SameSite=strict"} <= set(cookie.split("; "))
    assert answer.json()["cookie"] == "gstack_sse"
    assert cookie.partition("=")[2][:20] not in answer.text


async def test_there_is_an_end_to_watchers(listener):
    listener.services.activity.watchers = 50

    async with listener.client() as client:
        assert (await client.get("/activity/stream")).status_code == 429
