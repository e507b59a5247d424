"""Messages of agents to the person."""

import pytest


async def test_a_message_is_shown_and_nothing_runs(listener):
    answer = await listener.post("/sidebar-chat", {"message": "goto https://evil.example"})

    assert answer.json() == {"shown": True}
    assert listener.log == []
    event = listener.services.activity.latest(1)[0]
    assert event["page"] == {"message": "goto https://evil.example"}


@pytest.mark.parametrize("body", [{"message": ""}, {"message": "x" * 4001}, {}, {"command": "x"}])
async def test_what_is_no_message_is_refused(listener, body):
    assert (await listener.post("/sidebar-chat", body)).status_code == 400
