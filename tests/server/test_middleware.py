"""Who may talk to the socket at all."""

import logging

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from browse.core.errors import Code
from browse.server.middleware import LocalMiddleware

PORT = 23_456
HERE = f"http://127.0.0.1:{PORT}"


@pytest.mark.parametrize(
    "host",
    [
        f"127.0.0.1:{PORT}",
        f"localhost:{PORT}",
        f"LOCALHOST:{PORT}",
        f"[::1]:{PORT}",
        "localhost:9000",
    ],
)
async def test_the_loopback_names_are_let_in(listener, host):
    async with listener.client(Host=host) as client:
        assert (await client.get("/health")).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{PORT}:{PORT}",
        f"evil.com:{PORT}",
        "evil.com",
        f"127.0.0.1.evil.com:{PORT}",
        f"localhost.:{PORT}",
        f"evil.com@127.0.0.1:{PORT}",
        f"[::2]:{PORT}",
        f"::1:{PORT}",
        f"0.0.0.0:{PORT}",
        f"127.1:{PORT}",
    ],
)
@pytest.mark.parametrize("path", ["/health", "/command", "/nothing"])
async def test_any_other_host_is_turned_away(listener, host, path):
    async with listener.client(Host=host) as client:
        answer = await client.post(path, json={"command": "say"})

    assert answer.status_code == 403
    assert answer.json()["code"] == "foreign-origin"


async def test_a_request_without_a_host_is_turned_away(listener):
    async with listener.client() as client:
        request = client.build_request("GET", "/health")
        del request.headers["host"]
        answer = await client.send(request)

    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.com"},
        {"Origin": HERE},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "same-site"},
    ],
    ids=lambda headers: " ".join(f"{name} {value}" for name, value in headers.items()),
)
@pytest.mark.parametrize("path", ["/connect", "/command", "/batch"])
async def test_a_web_page_is_turned_away_even_with_the_token(listener, headers, path):
    answer = await listener.post(path, {"command": "say"}, **headers)

    assert answer.status_code == 403
    assert answer.json()["code"] == "foreign-origin"
    assert not any(name.startswith("access-control") for name in answer.headers)


async def test_an_address_that_a_person_typed_is_let_in(listener):
    async with listener.client(**{"Sec-Fetch-Site": "none"}) as client:
        assert (await client.get("/health")).status_code == 200


@pytest.mark.parametrize(
    "path", ["/nothing", "/commands", "/command/", "/health/", "/x//command", "/batch/x"]
)
async def test_an_unknown_path_is_answered_as_json(listener, path):
    answer = await listener.post(path, {"command": "say"})

    assert answer.status_code == 404
    assert set(answer.json()) == {"error", "hint", "code"}
    assert answer.json()["code"] == "not-found"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/health"),
        ("GET", "/command"),
        ("PUT", "/command"),
        ("OPTIONS", "/batch"),
        ("DELETE", "/batch"),
    ],
)
async def test_a_wrong_method_is_answered_as_json(listener, method, path):
    async with listener.client() as client:
        answer = await client.request(method, path)

    assert answer.status_code == 405
    assert set(answer.json()) == {"error", "hint", "code"}
    assert answer.json()["code"] == "method-not-allowed"


async def test_every_answer_says_that_it_is_not_to_be_kept_or_guessed_at(listener):
    for answer in [
        await listener.post("/command", {"command": "say"}),
        await listener.post("/command", {"command": "none"}),
        await listener.post("/batch", {"commands": [{"command": "say"}]}),
        await listener.post("/nothing"),
    ]:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_defect_in_a_route_is_an_answer_without_a_trace(caplog):
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise KeyError("inner workings")

    transport = httpx.ASGITransport(LocalMiddleware(broken))
    with caplog.at_level(logging.ERROR):
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            answer = await client.get("/health")

    assert answer.status_code == 500
    assert answer.json()["code"] == Code.INTERNAL.value
    assert "inner workings" not in answer.text
    assert "inner workings" in caplog.text
