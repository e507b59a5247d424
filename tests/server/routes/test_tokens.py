"""Pairing, minting, revoking over HTTP."""

import asyncio

import pytest

from browse.server.routes.tokens import CONNECTS_A_MINUTE


async def bearing(listener, token: str, path: str = "/command", command: str = "page"):
    return await listener.post(path, {"command": command}, Authorization=f"Bearer {token}")


async def paired(listener, **terms) -> dict:
    key = (await listener.post("/pair", {"clientId": "codex", **terms})).json()["setup_key"]
    answer = await listener.post("/connect", {"setup_key": key}, Authorization="")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_agent_pairs_and_runs_a_command(listener):
    told = await paired(listener, tabPolicy="shared")

    assert told["agent"] == "codex"
    assert told["scopes"] == ["read", "write", "admin", "meta"]
    assert told["expires"].endswith("Z")
    assert (await bearing(listener, told["token"])).status_code == 200


async def test_a_set_up_key_opens_the_door_once_even_for_two_at_once(listener):
    key = (await listener.post("/pair", {"clientId": "codex"})).json()["setup_key"]

    answers = await asyncio.gather(
        *(listener.post("/connect", {"setup_key": key}, Authorization="") for _ in range(5))
    )

    assert sorted(answer.status_code for answer in answers) == [200, 401, 401, 401, 401]
    assert (await bearing(listener, key)).status_code == 401


async def test_pairing_tells_the_key_its_end_and_the_rights(listener):
    told = (await listener.post("/pair", {"domains": ["Example.com,*.b.org"]})).json()

    assert told["setup_key"].startswith("gsk_setup_")
    assert told["client"] == "remote-agent"
    assert told["domains"] == ["example.com", "*.b.org"]
    assert told["server_url"] == "http://127.0.0.1:23456"
    assert told["tunnel_url"] is None
    assert "superseded" not in told


async def test_pairing_for_less_ends_what_the_client_had(listener):
    token = (await paired(listener, tabPolicy="shared"))["token"]

    told = (await listener.post("/pair", {"clientId": "codex", "scopes": ["read"]})).json()

    assert told["superseded"] == {"tokens_deleted": 1}
    assert (await bearing(listener, token)).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {"clientId": "root"},
        {"clientId": "a\nb"},
        {"clientId": "x" * 10_240},
        {"scopes": ["read", "sudo"]},
        {"scopes": ["root"]},
        {"scopes": []},
        {"scopes": ["control"]},
        {"domains": ["https://x"]},
        {"domains": [""]},
        {"domains": ["example.com"], "tabPolicy": "shared"},
        {"rateLimit": -1},
        {"expiresSeconds": 0},
        {"tabPolicy": "all"},
        {"unknown": 1},
        ["no object"],
    ],
    ids=str,
)
@pytest.mark.parametrize("path", ["/pair", "/token"])
async def test_bad_terms_are_refused_before_anything_is_revoked(listener, path, body):
    token = (await paired(listener, tabPolicy="shared"))["token"]

    answer = await listener.post(path, body)

    assert answer.status_code == 400, answer.text
    assert answer.json()["hint"]
    assert (await bearing(listener, token)).status_code == 200


async def test_control_is_given_only_to_who_says_so(listener):
    told = await paired(listener, control=True)

    assert "control" in told["scopes"]


async def test_the_owner_mints_a_token_without_a_key(listener):
    told = (await listener.post("/token", {"clientId": "local", "tabPolicy": "shared"})).json()

    assert (await bearing(listener, told["token"])).status_code == 200


async def test_revoking_ends_the_token_and_the_command_under_way(listener):
    token = (await paired(listener, tabPolicy="shared"))["token"]
    running = asyncio.create_task(bearing(listener, token, command="slow"))
    await listener.until_entered()

    async with listener.client() as client:
        answer = await client.delete("/token/codex")

    assert answer.json() == {"revoked": "codex", "tokens_deleted": 1, "tabs_released": 0}
    cut = await running
    assert cut.status_code == 401
    assert cut.json()["code"] == "revoked"
    assert listener.cancelled.is_set()
    assert (await bearing(listener, token)).status_code == 401


async def test_revoking_nobody_is_an_error_that_says_where_to_look(listener):
    async with listener.client() as client:
        answer = await client.delete("/token/nobody")

    assert answer.status_code == 404
    assert "/agents" in answer.json()["hint"]


async def test_who_is_paired_is_listed_without_a_token(listener):
    token = (await paired(listener, domains=["example.com"]))["token"]
    await listener.post("/pair", {"clientId": "new"})

    async with listener.client() as client:
        answer = await client.get("/agents")

    rows = answer.json()["agents"]
    assert [(row["clientId"], row["pending"]) for row in rows] == [("codex", False), ("new", True)]
    assert rows[0]["domains"] == ["example.com"]
    assert token not in answer.text
    assert "gsk_" not in answer.text


async def test_knocking_is_limited_for_all_together(listener):
    async with listener.client(Authorization="") as client:
        answers = [
            await client.post("/connect", json={"setup_key": "gsk_setup_guess"})
            for _ in range(2 * CONNECTS_A_MINUTE)
        ]

    assert {answer.status_code for answer in answers[:CONNECTS_A_MINUTE]} == {401}
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert refused[0].headers["retry-after"] == "1"


async def test_an_agent_that_asks_too_often_is_told_to_wait(listener):
    token = (await paired(listener, rateLimit=1, tabPolicy="shared"))["token"]
    many = {"commands": [{"command": "page"}] * 5}
    bearer = f"Bearer {token}"

    batch = await listener.post("/batch", many, Authorization=bearer)
    again = await listener.post("/batch", many, Authorization=bearer)

    assert batch.json()["succeeded"] == 5
    assert again.status_code == 429
    assert again.headers["retry-after"] == "1"


async def test_a_wrong_token_a_thousand_times_changes_nothing(listener):
    for number in range(1000):
        assert (await bearing(listener, f"gsk_sess_{number:048x}")).status_code == 401

    assert (await listener.post("/command", {"command": "page"})).status_code == 200
