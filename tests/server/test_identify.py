"""Who is asking, by token and by ticket."""

import pytest
from starlette.requests import Request

from browse.auth.caller import ROOT
from browse.auth.rates import Rates
from browse.auth.terms import Behalf, TabPolicy, Terms
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import TokenKind, Tokens
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope, Surface
from browse.server.identify import Identify

TOKEN = "the-token-of-the-owner"
TERMS = Terms("codex", Scope.READ, ("example.com",), TabPolicy.OWN_ONLY, rate=2)


def asking(header: str = "", cookie: str = "") -> Request:
    headers = {"authorization": header, "cookie": cookie}
    raw = [(key.encode(), value.encode("latin-1")) for key, value in headers.items() if value]
    return Request({"type": "http", "headers": raw})


def identify(surface: Surface = Surface.LOCAL) -> tuple[Identify, Tokens, Tickets]:
    tokens, tickets = Tokens(TOKEN), Tickets()
    return Identify(tokens, Rates(clock=lambda: 0.0), tickets, surface), tokens, tickets


def refused(act, *args) -> Code:
    with pytest.raises(BrowseError) as caught:
        act(*args)
    assert TOKEN not in caught.value.message + caught.value.hint
    return caught.value.code


def test_the_owners_token_is_the_owner():
    assert identify()[0].caller(asking(f"Bearer {TOKEN}")) is ROOT
    assert identify()[0].owner(asking(f"Bearer {TOKEN}")) is ROOT


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer {TOKEN}-and-more",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN}\xff",
    ],
    ids=ascii,
)
def test_any_other_header_is_refused(header):
    for check in (identify()[0].caller, identify()[0].owner, identify()[0].viewer):
        assert refused(check, asking(header)) is Code.UNAUTHENTICATED


def test_an_empty_token_opens_nothing():
    nothing = Identify(Tokens(""), Rates(), Tickets())

    assert refused(nothing.caller, asking("Bearer ")) is Code.UNAUTHENTICATED


def test_the_owners_token_is_refused_on_the_tunnel():
    tunnel, _, _ = identify(Surface.TUNNEL)

    assert refused(tunnel.caller, asking(f"Bearer {TOKEN}")) is Code.ROOT_REFUSED


def test_an_agent_has_what_its_token_was_made_for():
    tunnel, tokens, _ = identify(Surface.TUNNEL)
    token = tokens.issue(TokenKind.SESSION, TERMS).token

    caller = tunnel.caller(asking(f"Bearer {token}"))

    assert (caller.name, caller.scopes, caller.surface) == ("codex", Scope.READ, Surface.TUNNEL)
    assert (caller.domains, caller.tabs) == (("example.com",), TabPolicy.OWN_ONLY)
    assert tokens.agents()[0].commands == 1


def test_an_agent_that_asks_too_often_is_told_when_to_come_again():
    local, tokens, _ = identify()
    request = asking(f"Bearer {tokens.issue(TokenKind.SESSION, TERMS).token}")
    local.caller(request)
    local.caller(request)

    with pytest.raises(BrowseError) as caught:
        local.caller(request)

    assert caught.value.code is Code.RATE_LIMITED
    assert caught.value.retry_s == pytest.approx(0.5)


def test_the_scripts_of_an_agent_have_one_rate_with_it():
    local, tokens, _ = identify()
    behalf = Behalf("codex", "codex", Surface.LOCAL)
    issued = [tokens.issue(TokenKind.SESSION, TERMS)]
    for name in ("skill:run:1", "skill:run:2"):
        terms = Terms(name, Scope.READ, rate=TERMS.rate, behalf=behalf)
        issued.append(tokens.issue(TokenKind.SKILL, terms))
    for each in issued[:2]:
        local.caller(asking(f"Bearer {each.token}"))

    assert refused(local.caller, asking(f"Bearer {issued[2].token}")) is Code.RATE_LIMITED


def test_a_set_up_key_is_no_bearer_token():
    local, tokens, _ = identify()
    key, _ = tokens.invite(TERMS)

    assert refused(local.caller, asking(f"Bearer {key.token}")) is Code.UNAUTHENTICATED
    assert refused(local.owner, asking(f"Bearer {key.token}")) is Code.UNAUTHENTICATED


def test_an_agent_is_not_the_owner():
    local, tokens, _ = identify()
    token = tokens.issue(TokenKind.SESSION, TERMS).token

    assert refused(local.owner, asking(f"Bearer {token}")) is Code.SCOPE
    assert refused(local.viewer, asking(f"Bearer {token}")) is Code.SCOPE


def test_a_skill_works_on_this_machine_only():
    local, tokens, tickets = identify()
    token = tokens.issue(TokenKind.SKILL, TERMS).token

    assert local.caller(asking(f"Bearer {token}")).name == "codex"
    tunnel = Identify(tokens, Rates(), tickets, Surface.TUNNEL)
    assert refused(tunnel.caller, asking(f"Bearer {token}")) is Code.UNAUTHENTICATED


def test_a_ticket_lets_its_bearer_watch_and_nothing_else():
    local, _, tickets = identify()
    request = asking(cookie=f"gstack_sse={tickets.issue(TicketKind.FEED)}")

    watcher = local.viewer(request)

    assert not watcher.scopes
    assert refused(local.caller, request) is Code.UNAUTHENTICATED
    assert refused(local.owner, request) is Code.UNAUTHENTICATED


def test_a_ticket_is_no_token_and_a_token_no_ticket():
    local, _, tickets = identify()
    ticket = tickets.issue(TicketKind.FEED)

    assert refused(local.caller, asking(f"Bearer {ticket}")) is Code.UNAUTHENTICATED
    assert refused(local.viewer, asking(cookie=f"gstack_sse={TOKEN}")) is Code.UNAUTHENTICATED
