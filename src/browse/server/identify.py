"""Identify the caller, by a bearer token or by a ticket."""

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from browse.auth.caller import ROOT, Caller, bearer
from browse.auth.rates import Rates
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import TokenKind, Tokens
from browse.core.errors import BrowseError, Code
from browse.core.scopes import NOTHING, Surface
from browse.server.sources import is_from_extension

_TICKET = "browse.ticket"
# What a page shows through the tunnel has tickets of its own: one of here does not work there.
_REMOTE = {TicketKind.VIEW: TicketKind.REMOTE_VIEW}


class Identify:
    """Checks tokens and tickets; each listener has its own instance."""

    def __init__(
        self, tokens: Tokens, rates: Rates, tickets: Tickets, surface: Surface = Surface.LOCAL
    ) -> None:
        self._tokens = tokens
        self._rates = rates
        self._tickets = tickets
        self._surface = surface

    def nobody(self, _: HTTPConnection) -> Caller:
        """Return an anonymous caller."""
        return Caller("", NOTHING, self._surface)

    def caller(self, request: HTTPConnection) -> Caller:
        """Return the caller, or raise. Each call counts towards the caller's rate."""
        token = sent(request)
        if token and self._tokens.is_root(token):
            return self._root()
        grant = self._tokens.find(token) if token else None
        if grant is None or (grant.kind is TokenKind.SKILL and self._surface is not Surface.LOCAL):
            raise BrowseError(
                Code.UNAUTHENTICATED, "No valid token was sent.", hint=self._how_to_get_one()
            )
        terms = grant.terms
        # A script's requests are its caller's, however many scripts that one runs.
        self._rates.admit(terms.behalf.holder if terms.behalf else terms.client, terms.rate)
        grant.commands += 1
        return Caller(
            terms.client,
            terms.scopes,
            terms.behalf.surface if terms.behalf else self._surface,
            terms.domains,
            terms.tabs,
            folders=terms.folders,
            behalf=terms.behalf,
        )

    def owner(self, request: HTTPConnection) -> Caller:
        """Return the owner, or raise."""
        token = sent(request)
        if token and self._tokens.is_root(token):
            return self._root()
        known = bool(token) and self._tokens.find(token) is not None
        raise BrowseError(
            Code.SCOPE if known else Code.UNAUTHENTICATED,
            "Only the owner may use this endpoint.",
            hint="use the token from .gstack/browse.json, on the machine of the daemon",
        )

    def viewer(self, request: HTTPConnection) -> Caller:
        """Return a caller that may watch: the owner, or a page with a ticket; else raise."""
        ticket = request.cookies.get(TicketKind.FEED.label, "")
        if ticket and self._tickets.valid(TicketKind.FEED, ticket):
            return self.nobody(request)
        return self.owner(request)

    def holder(self, request: HTTPConnection, opens: TicketKind) -> Caller:
        """Return the owner: at a page of ours, with a ticket of this kind, or with the token."""
        ticket = sent(request)
        kind = opens if self._surface is Surface.LOCAL else _REMOTE.get(opens)
        known = ticket and kind and self._tickets.valid(kind, ticket)
        return ROOT if known else self.owner(request)

    def extension(self, request: HTTPConnection) -> Caller | None:
        """Return the owner if this is our extension with its ticket, else None."""
        ticket = sent(request)
        known = ticket and is_from_extension(request)
        return ROOT if known and self._tickets.valid(TicketKind.EXTENSION, ticket) else None

    def take_ticket(self, socket: WebSocket, protocol: str) -> str | None:
        """Take the ticket of a socket from its subprotocols; return the one that holds it."""
        for offered in socket.scope["subprotocols"]:
            name, _, ticket = offered.partition(".")
            if name == protocol and ticket:
                socket.scope[_TICKET] = ticket
                return str(offered)
        return None

    def _root(self) -> Caller:
        if self._surface is not Surface.LOCAL:
            raise BrowseError(
                Code.ROOT_REFUSED,
                "The owner's token is refused here.",
                hint="pair: `browse pair-agent` gives a set-up key for `POST /connect`",
            )
        return ROOT

    def _how_to_get_one(self) -> str:
        if self._surface is Surface.LOCAL:
            return "send 'Authorization: Bearer <token>' with the token from .gstack/browse.json"
        return "exchange a set-up key at `POST /connect`; tokens end after 24 hours"


def sent(request: HTTPConnection) -> str:
    """Return the token or ticket of a request: its bearer header, or the protocol of a socket."""
    return str(request.scope.get(_TICKET) or bearer(request.headers.get("authorization", "")))
