"""POST /command, as JSON and as the client's argv form."""

import asyncio
import json

import pytest

from browse import _exit
from browse.core.tasks import spawn
from browse.server import attend, body

PORT = 23_456
ARGV = "application/x-browse-argv"


def argv(*words: str, cwd: str = "/tmp", tab: str = "", stdin: bytes = b"") -> tuple[bytes, dict]:
    fields = [f"cwd={cwd}", f"tab={tab}", "", *words]
    block = b"".join(field.encode("utf-8", "surrogateescape") + b"\0" for field in fields)
    return block + stdin, {"Content-Type": ARGV, "X-Browse-Argv": str(len(block))}


def frames(raw: bytes) -> list[tuple[str, bytes]]:
    """Take a reply to the client apart."""
    found = []
    while raw:
        head, _, raw = raw.partition(b"\n")
        kind, _, number = head.decode().partition(" ")
        size = 0 if kind == "x" else int(number)
        found.append((kind, number.encode() if kind == "x" else raw[:size]))
        raw = raw[size:]
    return found


class Connection:
    """One request, driven by hand, so that its caller can go away."""

    def __init__(self, app, content: bytes, headers: dict[str, str]) -> None:
        sent = {
            "host": f"127.0.0.1:{PORT}",
            "authorization": "Bearer token-of-these-tests",
            **headers,
        }
        self.scope = {
            "type": "http",
            "method": "POST",
            "path": "/command",
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        }
        self.gone = asyncio.Event()
        self.messages: list[dict] = []
        self.beaten = asyncio.Event()
        self._app = app
        self._content: bytes | None = content

    async def run(self) -> None:
        await self._app(self.scope, self._receive, self._send)

    async def _receive(self) -> dict:
        if self._content is not None:
            content, self._content = self._content, None
            return {"type": "http.request", "body": content, "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict) -> None:
        self.messages.append(message)
        if message.get("body") == b". 0\n":
            self.beaten.set()

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.messages)


async def test_a_command_answers_its_text(listener):
    answer = await listener.post("/command", {"command": "say", "args": ["hello"]})

    assert (answer.status_code, answer.text) == (200, "said hello")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


async def test_a_command_answers_json_where_that_was_asked_for(listener):
    answer = await listener.post(
        "/command", {"command": "say", "args": ["hi", "--json"], "tabId": 2}
    )

    assert answer.json() == {"said": "hi", "tab": 2}
    assert answer.headers["content-type"] == "application/json"


async def test_page_words_are_wrapped(listener):
    answer = await listener.post("/command", {"command": "page"})

    assert answer.text.startswith("--- page")


async def test_output_in_several_pieces_is_answered_whole(listener):
    answer = await listener.post("/command", {"command": "steps"})

    assert answer.text.splitlines() == ["first", "second", "third"]


async def test_an_error_has_the_status_of_its_code(listener):
    answer = await listener.post("/command", {"command": "fail"})

    assert answer.status_code == 404
    assert answer.json() == {
        "error": "Nothing \ufffd matches.",
        "hint": "look",
        "code": "no-match",
        "page": {"detail": "<b>"},
    }


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic token-of-these-tests"])
@pytest.mark.parametrize("path", ["/command", "/batch"])
async def test_without_the_token_nothing_is_run_or_told(listener, header, path):
    answer = await listener.post(path, {"command": "say"}, Authorization=header)

    assert answer.status_code == 401
    assert set(answer.json()) == {"error", "hint", "code"}


async def test_the_token_is_asked_for_before_the_body_is_read(listener):
    answer = await listener.post("/command", b"not json", Authorization="")

    assert answer.status_code == 401


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"say"',
        b"{}",
        b'{"command": 1}',
        b'{"command": "say", "args": "x"}',
        b'{"command": "say", "args": [1]}',
        b'{"command": "say", "args": [["x"]]}',
        b'{"command": "say", "args": null}',
        b'{"command": "say", "tabId": "1"}',
        b'{"command": "say", "tabId": 1.5}',
        b'{"command": "say", "unknown": 1}',
        b'{"command": {"command": "say"}}',
        b'{"command": "say"} {"command": "say"}',
        b'{"command": "\xff"}',
        b'{"command": "\\ud800"}',
        b'{"command": ' + b"[" * 100_000,
        b'{"x": ' * 100_000,
        b"\0",
    ],
    ids=lambda content: ascii(content[:30]),
)
async def test_a_body_of_another_shape_is_refused(listener, content):
    answer = await listener.post("/command", content)

    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "hint", "code"}
    assert answer.json()["code"] == "bad-request"


async def test_a_body_beyond_the_limit_is_refused(listener, monkeypatch):
    monkeypatch.setattr(body, "MAX_BODY_BYTES", 100)

    answer = await listener.post("/command", b'{"command": "say", "args": ["' + b"x" * 100 + b'"]}')

    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"


@pytest.mark.parametrize("tab_id", [0, -1, 99, 10**30])
async def test_an_unknown_tab_is_refused(listener, tab_id):
    answer = await listener.post("/command", {"command": "say", "tabId": tab_id})

    assert answer.status_code in (400, 404)


async def test_a_daemon_on_its_way_out_runs_nothing(listener):
    listener.life.stop_soon("asked to")

    answer = await listener.post("/command", {"command": "slow"})

    assert answer.status_code == 503
    assert answer.json()["code"] == "daemon-stopping"
    assert listener.log == []


async def test_the_client_gets_frames_with_the_exit_code_last(listener):
    content, headers = argv("steps")

    answer = await listener.post("/command", content, **headers)

    assert answer.headers["content-type"] == "application/x-browse-frames"
    assert frames(answer.content) == [
        ("1", b"first\n"),
        ("1", b"second\n"),
        ("1", b"third\n"),
        ("x", b"0"),
    ]


@pytest.mark.parametrize(
    ("words", "code"), [(["fail"], _exit.TARGET), (["none"], _exit.USAGE), ([], _exit.USAGE)]
)
async def test_the_client_gets_an_error_on_stderr(listener, words, code):
    content, headers = argv(*words)

    answer = await listener.post("/command", content, **headers)

    (kind, said), last = frames(answer.content)
    assert answer.status_code == 200
    assert (kind, last) == ("2", ("x", str(code).encode()))
    assert said.endswith(b"\n")


async def test_a_word_that_is_not_utf8_is_a_usage_error_to_the_client(listener):
    content, headers = argv("say", "\udcff")

    answer = await listener.post("/command", content, **headers)

    assert frames(answer.content)[-1] == ("x", b"2")


async def test_the_clients_tab_is_acted_on(listener):
    content, headers = argv("say", "x", "--json", tab="2")

    answer = await listener.post("/command", content, **headers)

    assert json.loads(frames(answer.content)[0][1]) == {"said": "x", "tab": 2}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"X-Browse-Argv": ""}, "bad-request"),
        ({"X-Browse-Argv": "9" * 5000}, "bad-request"),
        ({"X-Browse-Argv": "3"}, "bad-request"),
    ],
    ids=["no length", "an endless length", "a wrong length"],
)
async def test_an_argument_block_that_does_not_fit_is_refused(listener, change, code):
    content, headers = argv("say")

    answer = await listener.post("/command", content, **{**headers, **change})

    assert answer.status_code == 400
    assert answer.json()["code"] == code


async def test_a_bad_tab_of_the_client_is_refused(listener):
    content, headers = argv("say", tab="one")

    answer = await listener.post("/command", content, **headers)

    (kind, said), last = frames(answer.content)
    assert (kind, last) == ("2", ("x", str(_exit.TARGET).encode()))
    assert b"BROWSE_TAB='one' is not a tab id" in said


async def test_a_caller_that_goes_takes_its_command_along(listener):
    connection = Connection(listener.app, b'{"command": "slow", "args": ["x"]}', {})
    serving = spawn(connection.run(), name="request")
    await listener.until_entered()

    connection.gone.set()
    async with asyncio.timeout(20):
        await serving

    assert listener.cancelled.is_set()
    assert listener.log == ["x in"]


async def test_a_client_that_goes_takes_its_command_along(listener):
    content, headers = argv("slow", "x")
    connection = Connection(listener.app, content, headers)
    serving = spawn(connection.run(), name="request")
    await listener.until_entered()

    connection.gone.set()
    async with asyncio.timeout(20):
        await serving

    assert listener.cancelled.is_set()
    assert b"x " not in connection.body


async def test_a_slow_command_sends_heartbeats_to_the_client(listener, monkeypatch):
    monkeypatch.setattr(attend, "HEARTBEAT_S", 0.01)
    content, headers = argv("slow", "x")
    connection = Connection(listener.app, content, headers)
    serving = spawn(connection.run(), name="request")

    async with asyncio.timeout(20):
        await connection.beaten.wait()
        listener.go.set()
        await serving

    kinds = [kind for kind, _ in frames(connection.body)]
    assert set(kinds[:-2]) == {"."}
    assert kinds[-2:] == ["1", "x"]
    assert [message["more_body"] for message in connection.messages[-2:]] == [True, False]
