"""The tunnel listener."""

import re

import httpx
import pytest
from msgspec.structs import replace

from browse.auth.terms import TabPolicy, Terms
from browse.auth.tickets import TicketKind
from browse.auth.tokens import TokenKind
from browse.server.access import EndpointAccess
from browse.server.app import local_endpoints
from browse.server.tunnel import tunnel_app, tunnel_endpoints, tunnel_sockets

ASSETS = (
    "base.css", "mark.svg", "session.js", "view.css", "view.js", "view_files.js", "view_input.js",
    "view_notes.js",
)  # fmt: skip
TERMS = Terms("codex", tabs=TabPolicy.SHARED, rate=0)


@pytest.fixture
def denials() -> list[str]:
    return []


@pytest.fixture
def tunnel(listener, denials) -> httpx.AsyncClient:
    services = replace(listener.services, denied=lambda _, reason: denials.append(reason))
    app = tunnel_app(services)
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="https://abc.tunnel.example"
    )


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_remote_caller_reaches_exactly_these(listener):
    assert {f"{it.method} {it.path}": it.access for it in tunnel_endpoints(listener.services)} == {
        "GET /connect": EndpointAccess.ANYONE,
        "POST /connect": EndpointAccess.ANYONE,
        "POST /command": EndpointAccess.BEARER,
        "POST /batch": EndpointAccess.BEARER,
        "POST /command/batch": EndpointAccess.BEARER,
        "GET /file": EndpointAccess.BEARER,
        "POST /sidebar-chat": EndpointAccess.BEARER,
        "POST /page-session": EndpointAccess.ANYONE,
        "GET /view": EndpointAccess.ANYONE,
        **{f"GET /assets/{name}": EndpointAccess.ANYONE for name in ASSETS},
    }
    assert [(it.path, it.access) for it in tunnel_sockets(listener.services)] == [
        ("/view-socket", EndpointAccess.VIEW)
    ]


async def test_a_code_works_only_where_it_is_for(listener, tunnel):
    tickets = listener.services.access.tickets
    here, there = tickets.code(TicketKind.VIEW), tickets.code(TicketKind.REMOTE_VIEW)
    other = tickets.code(TicketKind.REMOTE_VIEW)

    local = [(await tunnel.post("/page-session", json={"code": here})).status_code]
    local.append((await listener.post("/page-session", {"code": other})).status_code)
    remote = (await tunnel.post("/page-session", json={"code": there})).json()

    assert local == [401, 401]
    assert tickets.valid(TicketKind.REMOTE_VIEW, remote["ticket"])
    assert not tickets.valid(TicketKind.VIEW, remote["ticket"])


async def test_the_page_of_the_live_view_is_whole_and_alone(tunnel):
    page = await tunnel.get("/view")
    found = set(re.findall(r"/assets/([a-z_.]+)", page.text))

    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert found <= set(ASSETS)
    for name in ASSETS:
        assert (await tunnel.get(f"/assets/{name}")).status_code == 200
    assert (await tunnel.get("/assets/dashboard.js")).content == b""


async def test_an_agent_pairs_and_works_through_the_tunnel(listener, tunnel):
    key, _ = listener.services.access.tokens.invite(TERMS)

    told = (await tunnel.post("/connect", json={"setup_key": key.token})).json()
    answer = await tunnel.post("/command", json={"command": "page"}, headers=bearer(told["token"]))

    assert answer.status_code == 200
    assert "page words" in answer.text


async def test_the_owners_token_is_refused_and_written_down(tunnel, denials):
    answer = await tunnel.post(
        "/command", json={"command": "page"}, headers=bearer("token-of-these-tests")
    )

    assert answer.status_code == 403
    assert answer.json()["code"] == "root-refused"
    assert denials == ["root_token_on_tunnel"]


async def test_without_a_token_nothing_runs(tunnel, denials):
    for path in ("/command", "/batch", "/sidebar-chat"):
        assert (await tunnel.post(path, json={})).status_code == 401

    assert denials == ["missing_scoped_token"] * 3


async def test_what_is_not_there_is_the_same_nothing_everywhere(listener, tunnel, denials):
    known = {(it.method, it.path) for it in tunnel_endpoints(listener.services)}
    paths = {it.path.replace("{client}", "codex") for it in local_endpoints(listener.services)}
    paths |= {"/", "/nothing", "//", "/command/", "/connect/../pair", "/%2e%2e/pair", "/CONNECT"}
    tried = 0
    answers = set()
    for path in sorted(paths):
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "X"):
            seen = "GET" if method == "HEAD" else method
            if (seen, path) in known:
                continue
            answer = await tunnel.request(method, path, headers=bearer("token-of-these-tests"))
            answers.add((answer.status_code, answer.content, tuple(answer.headers.items())))
            tried += 1

    assert answers == {(404, b"", (("content-length", "0"),))}
    assert set(denials) == {"path_not_on_tunnel"}
    assert len(denials) == tried


async def test_a_command_that_is_not_offered_is_refused(listener, tunnel, denials):
    token = listener.services.access.tokens.issue(TokenKind.SESSION, TERMS).token

    answer = await tunnel.post("/command", json={"command": "stop"}, headers=bearer(token))

    assert answer.status_code == 400  # the fake daemon of these tests does not know it at all
    local = await tunnel.post("/command", json={"command": "steps"}, headers=bearer(token))
    assert local.json()["code"] == "surface"
    many = {"commands": [{"command": "steps"}, {"command": "page"}]}
    batch = (await tunnel.post("/batch", json=many, headers=bearer(token))).json()
    assert [row["status"] for row in batch["results"]] == [403, 200]
    assert denials == ["disallowed_command:steps"] * 2


async def test_a_foreign_host_is_the_rule_here(listener, tunnel):
    assert (await tunnel.get("/connect")).json() == {"alive": True}
