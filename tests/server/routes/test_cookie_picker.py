"""The endpoints of the cookie picker: who gets what, and what is said about bad requests."""

import pytest

from browse.auth.tickets import TicketKind


def ticket(listener, kind: TicketKind = TicketKind.COOKIE_PICKER) -> dict[str, str]:
    return {"Authorization": f"Bearer {listener.services.access.tickets.issue(kind)}"}


async def test_a_ticket_opens_the_picker_and_nothing_else(listener):
    async with listener.client(**ticket(listener)) as client:
        found = await client.get("/cookie-picker/browsers")
        other = await client.get("/dashboard/facts")
    async with listener.client(**ticket(listener, TicketKind.DASHBOARD)) as client:
        dashboard = await client.get("/cookie-picker/browsers")

    assert found.json() == {"browsers": []}
    assert (other.status_code, dashboard.status_code) == (401, 401)


async def test_another_page_gets_nothing_even_with_the_ticket(listener):
    foreign = {**ticket(listener), "Origin": "http://evil.example"}
    async with listener.client(**foreign) as client:
        answers = [
            await client.get("/cookie-picker/domains?browser=chrome"),
            await client.post("/cookie-picker/import", json={"browser": "chrome", "domains": []}),
        ]

    assert {answer.status_code for answer in answers} == {403}


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "/cookie-picker/profiles?browser=netscape", None, 400),
        ("GET", "/cookie-picker/profiles", None, 400),
        ("GET", "/cookie-picker/domains?browser=chrome&profile=..", None, 422),
        ("GET", "/cookie-picker/imported?session=../x", None, 400),
        ("POST", "/cookie-picker/import", {"browser": "chrome"}, 400),
        ("POST", "/cookie-picker/import", {"browser": 1, "domains": []}, 400),
        ("POST", "/cookie-picker/remove", {"domains": "a.example"}, 400),
        ("POST", "/cookie-picker/remove", {"domains": [], "session": "a b"}, 400),
    ],
)
async def test_bad_requests(listener, method, path, sent, status):
    async with listener.client() as client:
        answer = await client.request(method, path, json=sent)

    assert answer.status_code == status
    assert answer.json()["hint"]
