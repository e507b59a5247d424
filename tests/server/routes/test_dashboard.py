"""The endpoints of the dashboard: who gets what, and what is said about bad requests."""

import json

import pytest

from browse.auth.tickets import TicketKind

OWN = {"Origin": "http://127.0.0.1:23456"}


def ticket(listener, kind: TicketKind = TicketKind.DASHBOARD) -> dict[str, str]:
    return {"Authorization": f"Bearer {listener.services.access.tickets.issue(kind)}"}


async def test_facts_are_for_the_holder_of_a_ticket(listener):
    async with listener.client(**ticket(listener)) as client:
        found = await client.get("/dashboard/facts?parts=health,tabs")
        other = await client.get("/agents")
    async with listener.client(**ticket(listener, TicketKind.VIEW)) as client:
        viewer = await client.get("/dashboard/facts")

    assert set(found.json()) == {"health", "tabs"}
    assert other.status_code == 401, "a ticket opens nothing else"
    assert viewer.status_code == 401


async def test_another_page_gets_nothing_even_with_the_ticket(listener):
    foreign = {**ticket(listener), "Origin": "http://evil.example"}
    async with listener.client(**foreign) as client:
        answers = [
            await client.get("/dashboard/facts"),
            await client.get("/dashboard/events"),
            await client.post("/dashboard/close-tab", json={"tab": 1}),
        ]

    assert {answer.status_code for answer in answers} == {403}


async def test_credentials_in_addresses_are_masked(listener):
    tab = listener.services.running.runner.parts.browser.open_tabs.all()[0]
    secret = "ghp_" + "a1B2" * 9
    tab.url = f"https://example.com/?token={secret}"
    async with listener.client() as client:
        answer = await client.get("/dashboard/facts?parts=tabs")

    assert secret not in answer.text
    assert "example.com" in json.dumps(answer.json()["tabs"][0]["page"])


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/dashboard/facts?parts=everything", None, 400),
        ("GET", "/dashboard/picture/x", None, 400),
        ("GET", "/dashboard/picture/99", None, 404),
        ("GET", "/dashboard/picture/9999999999999", None, 400),
        ("GET", "/dashboard/events?after=-1", None, 400),
        ("POST", "/dashboard/close-tab", {"tab": 99}, 404),
        ("POST", "/dashboard/close-tab", {"tab": "1"}, 400),
        ("POST", "/dashboard/close-tab", {"tab": 1, "more": 1}, 400),
        ("POST", "/dashboard/revoke", {}, 400),
    ],
)
async def test_a_bad_request_is_answered_with_what_is_wrong(listener, method, path, sent, status):
    async with listener.client(**OWN) as client:
        answer = await client.request(method, path, json=sent)

    assert answer.status_code == status, answer.text
    assert answer.json()["error"]
    assert answer.json()["hint"]
