"""POST /batch."""

import asyncio

import httpx
import pytest

from browse.core.tasks import spawn
from browse.dispatch.call import Call
from browse.dispatch.running import Running
from browse.server.app import local_app
from support.fakes import a_daemon, a_runner, a_spec


def items(*names: str, **common: object) -> dict:
    return {"commands": [{"command": name, **common} for name in names]}


@pytest.mark.parametrize("path", ["/batch", "/command/batch"])
async def test_every_command_gets_a_row(listener, path):
    commands = [
        {"command": "say", "args": ["one"]},
        {"command": "say", "args": ["two", "--json"], "tabId": 2},
    ]

    answer = await listener.post(path, {"commands": commands})

    data, facts = answer.json(), {"said": "two", "tab": 2}
    assert answer.status_code == 200
    assert data["results"] == [
        {"index": 0, "command": "say", "tabId": None, "status": 200, "result": "said one"},
        {"index": 1, "command": "say", "tabId": 2, "status": 200, "result": facts},
    ]
    assert (data["total"], data["succeeded"], data["failed"]) == (2, 2, 0)
    assert isinstance(data["duration"], int)
    assert data["duration"] >= 0


async def test_one_that_fails_does_not_stop_the_others(listener):
    commands = [
        {"command": "fail"},
        {"command": "none"},
        {"command": 7},
        "say",
        {"command": "say", "odd": 1},
        {"command": "say", "tabId": 99},
        {"command": "say", "args": ["hi"]},
    ]

    answer = await listener.post("/batch", {"commands": commands})

    rows = answer.json()["results"]
    assert [row["status"] for row in rows] == [404, 400, 400, 400, 400, 404, 200]
    assert [row["code"] for row in rows[:-1]] == [
        "no-match", "unknown-command", "bad-request", "bad-request", "bad-request", "tab-unknown",
    ]  # fmt: skip
    assert all(row["result"] is None and row["hint"] for row in rows[:-1])
    assert (answer.json()["succeeded"], answer.json()["failed"]) == (1, 6)


async def test_half_a_character_of_a_page_does_not_spoil_the_batch(listener):
    commands = [{"command": "page", "args": ["--json"]}, {"command": "fail"}]

    answer = await listener.post("/batch", {"commands": commands})

    rows = answer.json()["results"]
    assert rows[0]["result"] == {"page": {"text": "half \ufffd"}}
    assert rows[1]["error"] == "Nothing \ufffd matches."


@pytest.mark.parametrize("count", [0, 51])
async def test_a_batch_of_another_size_is_refused(listener, count):
    answer = await listener.post("/batch", items(*["say"] * count))

    assert answer.status_code == 400
    assert answer.json()["code"] == "bad-request"


@pytest.mark.parametrize("count", [1, 50])
async def test_one_to_fifty_commands_are_a_batch(listener, count):
    answer = await listener.post("/batch", items(*["say"] * count))

    assert answer.json()["succeeded"] == count


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"commands": {}}',
        b'{"commands": [], "more": 1}',
        b'{"commands": ' + b"[" * 100_000,
    ],
    ids=lambda content: ascii(content[:30]),
)
async def test_a_body_of_another_shape_is_refused(listener, content):
    answer = await listener.post("/batch", content)

    assert answer.status_code == 400
    assert answer.json()["code"] == "bad-request"


async def test_commands_on_one_tab_run_in_order(listener):
    listener.go.set()
    commands = [{"command": "slow", "args": [word]} for word in "abc"]

    await listener.post("/batch", {"commands": commands})

    assert listener.log == ["a in", "a out", "b in", "b out", "c in", "c out"]


async def test_commands_on_different_tabs_run_side_by_side(listener):
    commands = [{"command": "slow", "args": [str(tab)], "tabId": tab} for tab in (1, 2)]
    answering = spawn(listener.post("/batch", {"commands": commands}), name="batch")

    await listener.until_entered(2)

    assert listener.log == ["1 in", "2 in"]
    listener.go.set()
    assert (await answering).json()["succeeded"] == 2


async def test_a_caller_that_goes_takes_the_whole_batch_along(listener):
    commands = [{"command": "slow", "args": [word]} for word in "ab"]
    answering = spawn(listener.post("/batch", {"commands": commands}), name="batch")
    await listener.until_entered()

    answering.cancel()
    await asyncio.wait({answering})

    assert listener.log == ["a in"]


async def test_a_daemon_on_its_way_out_runs_nothing(listener):
    listener.life.stop_soon("asked to")

    answer = await listener.post("/batch", items("slow"))

    assert answer.status_code == 503
    assert listener.log == []


class Defective(Running):
    async def tab_of(self, call: Call) -> int:
        raise RuntimeError("a defect")


async def test_a_defect_does_not_pass_for_success(caplog):
    services = a_daemon(Defective(a_runner(a_spec())))
    transport = httpx.ASGITransport(local_app(services))
    headers = {"Authorization": "Bearer a-token"}

    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:1") as client:
        answer = await client.post("/batch", json=items("act"), headers=headers)

    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert "a defect" in caplog.text
