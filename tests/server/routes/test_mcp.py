"""POST /mcp."""

import asyncio
import json

import pytest

from browse.auth.terms import Terms
from browse.auth.tokens import TokenKind
from browse.core.tasks import spawn
from browse.mcp.messages import CAPABILITIES, NEW, REVISION
from server.conftest import HEADERS

META = {REVISION: NEW[0], CAPABILITIES: {}}


def message(method: str, **params: object) -> dict:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def a_call(*args: str, tool: str = "act", **more: object) -> dict:
    return message("tools/call", name=tool, arguments={"args": list(args)}, **more)


def headers(method: str, name: str = "") -> dict[str, str]:
    named = {"Mcp-Name": name} if name else {}
    return {"MCP-Protocol-Version": NEW[0], "Mcp-Method": method, **named}


async def test_a_tool_runs_a_command(listener):
    answer = await listener.post("/mcp", a_call("say", "hi"))

    assert answer.status_code == 200
    assert answer.json()["result"]["content"] == [{"type": "text", "text": "said hi"}]


async def test_the_tool_that_reads_is_refused_what_changes_something(listener):
    said, refused, done = [
        (await listener.post("/mcp", a_call(word, "hi", tool=tool))).json()["result"]
        for word, tool in (("say", "read"), ("note", "read"), ("note", "act"))
    ]

    assert said["content"][0]["text"] == "said hi"
    assert "may only read" in refused["content"][0]["text"]
    assert done["content"][0]["text"] == "said hi"


async def test_a_call_names_its_tab_its_session_and_its_input(listener, monkeypatch):
    calls = []
    start = listener.services.running.start

    def noted(call, out):
        calls.append(call)
        return start(call, out)

    monkeypatch.setattr(listener.services.running, "start", noted)
    asked = a_call("say", "hi")
    asked["params"]["arguments"] |= {"tab": 2, "session": "work", "stdin": "é"}

    await listener.post("/mcp", asked)

    assert [(it.tab_id, it.session, it.stdin) for it in calls] == [(2, "work", "é".encode())]


async def test_saved_pictures_are_shown_to_who_may_read_files(listener, tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    token = listener.services.access.tokens.issue(TokenKind.SESSION, Terms("codex", rate=0)).token
    asked = a_call("screenshot", str(tmp_path / "a.png"))

    owners = await listener.post("/mcp", asked)
    agents = await listener.post("/mcp", asked, Authorization=f"Bearer {token}")

    results = [got.json()["result"] for got in (owners, agents)]
    kinds = [[it["type"] for it in result["content"]] for result in results]
    assert kinds == [["text", "image"], ["text"]]
    assert "isError" not in results[1]


async def test_a_daemon_that_ends_runs_no_part_of_a_call(listener):
    listener.life.stop_soon("test")

    answer = await listener.post("/mcp", a_call("slow", "x"))

    assert answer.status_code == 503
    assert listener.log == []


async def test_a_new_client_is_served_without_a_handshake(listener):
    asked = a_call("say", "hi", _meta=META)

    answer = await listener.post("/mcp", asked, **headers("tools/call", "act"))

    assert answer.json()["result"]["resultType"] == "complete"


async def test_a_command_that_fails_is_a_result_for_the_model(listener):
    answer = await listener.post("/mcp", a_call("fail"))

    assert answer.status_code == 200
    assert answer.json()["result"]["isError"]
    assert answer.json()["result"]["_meta"]["browse/exit"] == 3


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"{bad", 400, -32700),
        (b"[]", 400, -32600),
        (message("nope"), 200, -32601),
        (message("tools/call", name="nope"), 200, -32602),
        (message("tools/list", _meta={**META, REVISION: "2031-01-01"}), 400, -32020),
    ],
)
async def test_what_is_no_request_is_refused(listener, sent, status, code):
    answer = await listener.post("/mcp", sent)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


async def test_unknown_methods_of_new_clients_are_not_found(listener):
    answer = await listener.post("/mcp", message("nope", _meta=META), **headers("nope"))

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, -32601)


async def test_notices_are_taken_and_need_no_answer(listener):
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}

    assert (await listener.post("/mcp", notice)).status_code == 202
    assert (
        await listener.post("/mcp", {"jsonrpc": "2.0", "id": 1, "result": {}})
    ).status_code == 202


async def test_long_work_reports_its_progress(listener, monkeypatch):
    monkeypatch.setattr("browse.server.attend.HEARTBEAT_S", 0.01)
    body = json.dumps(a_call("slow", "x", _meta={"progressToken": "p"})).encode()
    asked = [{"type": "http.request", "body": body}]
    events: list[dict] = []

    async def receive() -> dict:
        if not asked:
            await asyncio.Event().wait()
        return asked.pop()

    async def send(part: dict) -> None:
        if part.get("body"):
            events.append(json.loads(part["body"].partition(b"data: ")[2]))
            listener.go.set()

    await listener.app(
        {
            "type": "http",
            "method": "POST",
            "path": "/mcp",
            "query_string": b"",
            "headers": [
                (b"host", b"127.0.0.1:1"),
                (b"authorization", HEADERS["Authorization"].encode()),
                (b"accept", b"application/json, text/event-stream"),
            ],
        },
        receive,
        send,
    )

    *beats, last = events
    assert {it["params"]["progressToken"] for it in beats} == {"p"}
    assert last["result"]["content"][0]["text"] == "slow x"


async def test_a_call_ends_with_its_connection(listener):
    asking = spawn(listener.post("/mcp", a_call("slow", "x")), name="ask")
    await listener.until_entered()

    asking.cancel()

    await asyncio.wait_for(listener.cancelled.wait(), 60)


async def test_nobody_is_served_without_a_token(listener):
    answer = await listener.post("/mcp", a_call("say", "hi"), Authorization="")

    assert answer.status_code == 401
