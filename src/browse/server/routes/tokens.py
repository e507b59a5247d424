"""Tokens over HTTP: pair, create, revoke, and list clients."""

from typing import Any

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.auth.rates import Bucket, too_many
from browse.auth.terms import DEFAULT_RATE, DEFAULT_SCOPES, TabPolicy, Terms, client_name
from browse.auth.tokens import SESSION_S, Grant, Issued, TokenKind
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.guard.domains import parse_lists
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services

MAX_RATE = 10_000
MAX_LIFE_S = 365 * 86_400
CONNECTS_A_MINUTE = 300


class TermsBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The terms of a token, as JSON."""

    client_id: str = "remote-agent"
    scopes: list[str] | None = None
    domains: list[str] = []
    tab_policy: TabPolicy = TabPolicy.OWN_ONLY
    rate_limit: int = DEFAULT_RATE
    expires_seconds: int | None = int(SESSION_S)
    control: bool = False
    admin: bool = False  # an older word for control


class Key(msgspec.Struct, forbid_unknown_fields=True):
    """A set-up key, as JSON."""

    setup_key: str


def endpoints(services: Services) -> list[Endpoint]:
    """Return the owner's endpoints, and the one where an agent exchanges its key."""
    return [
        *connect(services),
        Endpoint("POST", "/pair", EndpointAccess.OWNER, _pair(services)),
        Endpoint("POST", "/token", EndpointAccess.OWNER, _mint(services)),
        Endpoint("DELETE", "/token/{client}", EndpointAccess.OWNER, _revoke(services)),
        Endpoint("GET", "/agents", EndpointAccess.OWNER, _agents(services)),
    ]


def connect(services: Services) -> list[Endpoint]:
    """Build the endpoints that exchange a set-up key; each listener has its own rate limit."""
    knocks = Bucket(CONNECTS_A_MINUTE, CONNECTS_A_MINUTE / 60)

    def admit() -> None:
        if wait := knocks.take():
            raise too_many(f"Max {CONNECTS_A_MINUTE} a minute.", wait)

    async def alive(_: Request, __: Caller) -> reply.Reply:
        """Report that the daemon is up: `{alive: true}`. Counts as an attempt to connect."""
        admit()
        return reply.facts({"alive": True})

    async def exchange(request: Request, _: Caller) -> reply.Reply:
        """Exchange a set-up key: `{setup_key}` returns `{token, expires, scopes, agent}`.

        A key works once, for 5 minutes, and only here. The limit is 300 attempts a minute for all
        callers together.
        """
        admit()
        key = body.decode(await body.read(request, body.SMALL), Key)
        return reply.facts(_issued(services.access.tokens.exchange(key.setup_key)))

    return [
        Endpoint("GET", "/connect", EndpointAccess.ANYONE, alive),
        Endpoint("POST", "/connect", EndpointAccess.ANYONE, exchange),
    ]


def _pair(services: Services) -> Any:
    async def pair(request: Request, _: Caller) -> reply.Reply:
        """Create a set-up key for an agent.

        `{clientId?, scopes?, domains?, tabPolicy?, rateLimit?, control?}` returns `{setup_key,
        expires_at, scopes, domains, tunnel_url, server_url, superseded?}`. `domains` do not go
        with `tabPolicy: "shared"`: other tabs may be elsewhere. If the client has a token and gets
        fewer rights now, that token ends at once.
        """
        terms, _life = await _terms(request)
        issued, revoked = services.access.tokens.invite(terms)
        data: dict[str, Any] = {
            "setup_key": issued.token,
            "expires_at": _when(issued.grant),
            "client": terms.client,
            "scopes": terms.scopes.list(),
            "domains": list(terms.domains),
            "tunnel_url": services.access.gateway.url,
            "server_url": services.access.local_url,
        }
        if revoked is not None:
            data["superseded"] = {"tokens_deleted": revoked}
        return reply.facts(data)

    return pair


def _mint(services: Services) -> Any:
    async def mint(request: Request, _: Caller) -> reply.Reply:
        """Create a token without a set-up key, for an agent on this machine.

        `{clientId, scopes?, domains?, tabPolicy?, rateLimit?, expiresSeconds?}` returns `{token,
        expires, scopes, agent}`. A client has one token: a new one replaces it.
        """
        terms, life_s = await _terms(request)
        return reply.facts(
            _issued(services.access.tokens.issue(TokenKind.SESSION, terms, life_s=life_s))
        )

    return mint


def _revoke(services: Services) -> Any:
    async def revoke(request: Request, _: Caller) -> reply.Reply:
        """Revoke a client's tokens at once: its commands are ended, its tabs become the owner's."""
        client = request.path_params["client"]
        count, tabs = services.access.revoke(client)
        if not count:
            raise BrowseError(
                Code.NOT_FOUND,
                "There is no paired agent of that name.",
                hint="`GET /agents` (`browse tunnel agents`) lists them",
            )
        return reply.facts({"revoked": client, "tokens_deleted": count, "tabs_released": tabs})

    return revoke


def _agents(services: Services) -> Any:
    async def agents(_: Request, __: Caller) -> reply.Reply:
        """List the clients with a token or a set-up key, and their rights; never a token."""
        return reply.facts({"agents": [grant.facts() for grant in services.access.tokens.agents()]})

    return agents


async def _terms(request: Request) -> tuple[Terms, float | None]:
    wanted = body.decode(await body.read(request, body.SMALL) or b"{}", TermsBody)
    scopes = DEFAULT_SCOPES if wanted.scopes is None else Scope.named(wanted.scopes)
    control = wanted.control or wanted.admin
    if Scope.CONTROL in scopes and not control:
        raise Usage("the scope 'control' needs control: true", hint="say so, if you mean it")
    if not scopes:
        raise Usage("a token without a scope is of no use", hint="leave out scopes, or name some")
    if not 0 <= wanted.rate_limit <= MAX_RATE:
        raise Usage(f"rateLimit must be 0 to {MAX_RATE}", hint="requests a second; 0 = no limit")
    life = wanted.expires_seconds
    if life is not None and not 1 <= life <= MAX_LIFE_S:
        raise Usage(f"expiresSeconds must be 1 to {MAX_LIFE_S}, or null", hint="seconds")
    return (
        Terms(
            client_name(wanted.client_id),
            scopes | Scope.CONTROL if control else scopes,
            parse_lists(wanted.domains),
            wanted.tab_policy,
            wanted.rate_limit,
        ),
        life,
    )


def _issued(issued: Issued) -> dict[str, Any]:
    terms = issued.grant.terms
    return {
        "token": issued.token,
        "expires": _when(issued.grant),
        "scopes": terms.scopes.list(),
        "domains": list(terms.domains),
        "agent": terms.client,
    }


def _when(grant: Grant) -> str | None:
    return stamp(grant.expires) if grant.expires else None
