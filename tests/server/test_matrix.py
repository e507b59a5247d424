"""Every endpoint with every credential on both listeners, from the lists of endpoints."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from starlette.requests import Request
from starlette.routing import Router

from browse.auth.caller import Caller
from browse.auth.rates import Rates
from browse.auth.terms import Terms
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import TokenKind, Tokens
from browse.core.scopes import Surface
from browse.dispatch.running import Running
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess, mount
from browse.server.app import local_endpoints
from browse.server.identify import Identify
from browse.server.middleware import LocalMiddleware
from browse.server.sources import Sources
from browse.server.tunnel import TunnelMiddleware, tunnel_endpoints
from support.fakes import a_daemon, a_runner

ROOT_TOKEN = "the-token-of-the-owner"
SERVICES = a_daemon(Running(a_runner()))
LISTENERS = {
    Surface.LOCAL: local_endpoints(SERVICES),
    Surface.TUNNEL: tunnel_endpoints(SERVICES),
}
EVERYBODY = {
    "nothing", "wrong token", "set-up key", "spent set-up key", "expired", "revoked",
    "skill", "scoped", "root", "feed ticket", "expired ticket", "ticket as bearer",
    "token as ticket", "cookie of a page", "basic", "view ticket", "dashboard ticket",
    "cookie-picker ticket", "terminal ticket", "extension ticket", "remote-view ticket",
}  # fmt: skip
# Who gets in where. Everybody else does not.
LET_IN = {
    (EndpointAccess.ANYONE, Surface.LOCAL): EVERYBODY,
    (EndpointAccess.ANYONE, Surface.TUNNEL): EVERYBODY,
    (EndpointAccess.BEARER, Surface.LOCAL): {"root", "scoped", "skill"},
    (EndpointAccess.BEARER, Surface.TUNNEL): {"scoped"},
    (EndpointAccess.OWNER, Surface.LOCAL): {"root"},
    (EndpointAccess.OWNER, Surface.TUNNEL): set(),
    (EndpointAccess.VIEWER, Surface.LOCAL): {"root", "feed ticket"},
    (EndpointAccess.VIEWER, Surface.TUNNEL): {"feed ticket"},
    (EndpointAccess.VIEW, Surface.LOCAL): {"root", "view ticket"},
    (EndpointAccess.VIEW, Surface.TUNNEL): {"remote-view ticket"},
    (EndpointAccess.DASHBOARD, Surface.LOCAL): {"root", "dashboard ticket"},
    (EndpointAccess.DASHBOARD, Surface.TUNNEL): set(),
    (EndpointAccess.COOKIE_PICKER, Surface.LOCAL): {"root", "cookie-picker ticket"},
    (EndpointAccess.COOKIE_PICKER, Surface.TUNNEL): set(),
    (EndpointAccess.TERMINAL, Surface.LOCAL): {"root", "terminal ticket"},
    (EndpointAccess.TERMINAL, Surface.TUNNEL): set(),
}
PLACES = sorted({(it.method, it.path) for listed in LISTENERS.values() for it in listed})


@dataclass
class Doors:
    """Both listeners, with handlers that only tell that they were reached, and all credentials."""

    apps: dict[Surface, Any]
    credentials: dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def doors() -> Doors:
    now = [0.0]
    tokens, tickets = Tokens(ROOT_TOKEN, clock=lambda: now[0]), Tickets(clock=lambda: now[0])
    old = tokens.issue(TokenKind.SESSION, Terms("old"), life_s=10).token
    late = tickets.issue(TicketKind.FEED)
    now[0] = 100_000.0
    fresh = tickets.issue(TicketKind.FEED)
    spent, _ = tokens.invite(Terms("spender"))
    tokens.exchange(spent.token)
    revoked = tokens.issue(TokenKind.SESSION, Terms("revoked")).token
    tokens.revoke("revoked")
    scoped = tokens.issue(TokenKind.SESSION, Terms("codex", rate=0)).token
    bearers = {
        "wrong token": "gsk_sess_" + "0" * 48,
        "set-up key": tokens.invite(Terms("new"))[0].token,
        "spent set-up key": spent.token,
        "expired": old,
        "revoked": revoked,
        "skill": tokens.issue(TokenKind.SKILL, Terms("skill:x:1", rate=0)).token,
        "scoped": scoped,
        "root": ROOT_TOKEN,
        "ticket as bearer": fresh,
    }
    pages = [kind for kind in TicketKind if kind is not TicketKind.FEED]
    bearers |= {f"{kind.label} ticket": tickets.issue(kind) for kind in pages}
    credentials = {name: {"Authorization": f"Bearer {it}"} for name, it in bearers.items()}
    credentials |= {
        "nothing": {},
        "feed ticket": {"Cookie": f"gstack_sse={fresh}"},
        "expired ticket": {"Cookie": f"gstack_sse={late}"},
        "token as ticket": {"Cookie": f"gstack_sse={scoped}"},
        "cookie of a page": {"Cookie": "session=abc; gstack_pty=x; gstack_picker=y"},
        "basic": {"Authorization": f"Basic {ROOT_TOKEN}"},
    }
    assert set(credentials) == EVERYBODY
    apps: dict[Surface, Any] = {}
    for surface, endpoints in LISTENERS.items():
        identify = Identify(tokens, Rates(), tickets, surface)
        router = Router(mount([_marked(it) for it in endpoints], identify))
        local = surface is Surface.LOCAL
        apps[surface] = (
            LocalMiddleware(router) if local else TunnelMiddleware(router, lambda *_: None)
        )
    return Doors(apps, credentials)


def _marked(endpoint: Endpoint) -> Endpoint:
    async def reached(_: Request, __: Caller) -> reply.Reply:
        return reply.nothing(299)

    return replace(endpoint, handler=reached)


@pytest.mark.parametrize("surface", LISTENERS, ids=lambda surface: surface.name)
@pytest.mark.parametrize(("method", "path"), PLACES, ids=[" ".join(it) for it in PLACES])
async def test_who_gets_in(doors, method, path, surface):
    named = "/assets/{name}" if surface is Surface.LOCAL and "/assets/" in path else path
    found = [it for it in LISTENERS[surface] if (it.method, it.path) == (method, named)]
    expected = set(LET_IN[found[0].access, surface]) if found else set()
    # The extension sends no Origin when it only reads, and then looks like a program.
    here = found[0].sources if found and surface is Surface.LOCAL else Sources.PROGRAMS
    if method == "GET" and Sources.EXTENSION in here:
        expected.add("extension ticket")
    transport = httpx.ASGITransport(doors.apps[surface])
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:1") as client:
        codes = {
            name: (
                await client.request(method, path.replace("{client}", "codex"), headers=headers)
            ).status_code
            for name, headers in doors.credentials.items()
        }

    assert {name for name, code in codes.items() if code == 299} == expected
    if not found:
        assert set(codes.values()) == {404}
    else:
        assert set(codes.values()) <= {299, 401, 403}


def test_the_matrix_covers_every_endpoint_of_both_listeners():
    assert {access for access, _ in LET_IN} == set(EndpointAccess)
    assert len(PLACES) * len(LISTENERS) * len(EVERYBODY) >= 400
