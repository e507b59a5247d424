"""GET /health."""

import httpx

from browse.dispatch.running import Running
from browse.server.app import local_app
from support.fakes import a_daemon, a_runner


async def test_health_needs_no_token_and_tells_none(listener):
    async with listener.client(Authorization="") as client:
        answer = await client.get("/health")

    assert answer.status_code == 200
    assert answer.json() == {"status": "healthy", "terminalPort": 23_456}
    assert "token" not in answer.text


async def test_health_tells_the_facts_of_this_moment():
    facts = {"tabs": 1}
    services = a_daemon(Running(a_runner()), health=lambda: dict(facts))
    app = local_app(services)
    transport = httpx.ASGITransport(app)

    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:23456") as client:
        before = (await client.get("/health")).json()
        facts["tabs"] = 2
        after = (await client.get("/health")).json()

    assert (before["tabs"], after["tabs"]) == (1, 2)
