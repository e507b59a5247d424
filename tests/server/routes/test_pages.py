"""The daemon's own pages."""

import httpx
import pytest
from starlette.routing import Router

from browse.auth.rates import Rates
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import Tokens
from browse.server.access import mount
from browse.server.identify import Identify
from browse.server.middleware import LocalMiddleware
from browse.server.routes import pages

HERE = "http://127.0.0.1:23456"


@pytest.fixture
def client(tmp_path) -> httpx.AsyncClient:
    (tmp_path / "view.html").write_text("<h1>View</h1>")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "view.js").write_text("run()")
    (tmp_path / "assets" / "secret.txt").write_text("secret")
    (tmp_path / "outside.js").write_text("secret")
    routes = mount(
        pages.static(tmp_path, {"/view": "view.html"}),
        Identify(Tokens("token"), Rates(), Tickets()),
    )
    app = LocalMiddleware(Router(routes, redirect_slashes=False))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE)


async def test_a_page_runs_no_code_but_ours_and_nobody_frames_it(client):
    answer = await client.get("/view")

    assert answer.text == "<h1>View</h1>"
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers


async def test_its_script_is_fetched_by_the_page_itself(client):
    own = await client.get("/assets/view.js", headers={"Sec-Fetch-Site": "same-origin"})
    other = await client.get("/assets/view.js", headers={"Sec-Fetch-Site": "same-site"})

    assert (own.status_code, own.text) == (200, "run()")
    assert own.headers["content-type"] == "text/javascript; charset=utf-8"
    assert other.status_code == 403


@pytest.mark.parametrize(
    "name", ["secret.txt", "..%2foutside.js", "..%5coutside.js", "none.js", "view.js%00", ".js"]
)
async def test_nothing_else_is_served(client, name):
    answer = await client.get(f"/assets/{name}")

    assert answer.status_code == 404
    assert "secret" not in answer.text


async def test_a_code_is_exchanged_once_by_a_page_of_ours(listener):
    code = listener.services.access.tickets.code(TicketKind.VIEW)
    own = {"Origin": HERE}

    assert (
        await listener.post("/page-session", {"code": code}, Origin="http://x")
    ).status_code == 403
    first = await listener.post("/page-session", {"code": code}, **own)
    second = await listener.post("/page-session", {"code": code}, **own)

    assert first.status_code == 200
    assert first.json()["opens"] == "view"
    assert listener.services.access.tickets.valid(TicketKind.VIEW, first.json()["ticket"])
    assert second.status_code == 401
    assert "type the command again" in second.json()["hint"]


@pytest.mark.parametrize("sent", [b"{}", b"[]", b"", b'{"code": 1}', b'{"code": "\\ud800"}'])
async def test_a_bad_code_is_said_to_be_bad(listener, sent):
    answer = await listener.post("/page-session", sent)

    assert answer.status_code in (400, 401)
    assert "Traceback" not in answer.text


def test_an_address_for_a_page_carries_its_code_behind_the_hash(listener):
    access = listener.services.access

    address, _, code = access.page("/view", TicketKind.VIEW).partition("#")

    assert address == f"{access.local_url}/view"
    assert (access.tickets.exchange(code) or (None,))[0] is TicketKind.VIEW
