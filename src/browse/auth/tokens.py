"""The tokens of a daemon: issued, recognised, exchanged, revoked. They end with the daemon.

Only their hashes are stored. A token has a kind and is valid for that alone: a set-up key opens
`/connect` once and nothing else, however it is presented.
"""

import hashlib
import hmac
import secrets
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import msgspec

from browse.auth.terms import Terms
from browse.core.clock import elapsed, stamp
from browse.core.errors import BrowseError, Code

SETUP_S = 300.0
SESSION_S = 86_400.0


class TokenKind(StrEnum):
    """What a token is for; its value is the token's prefix."""

    SETUP = "gsk_setup_"
    SESSION = "gsk_sess_"
    SKILL = "gsk_skill_"


class Grant(msgspec.Struct):
    """A token without its secret."""

    kind: TokenKind
    terms: Terms
    until: float  # on the monotonic clock; infinity for no end
    created: datetime
    expires: datetime | None
    slides_s: float | None = None  # how long it lives on after each use; None: it ends when it ends
    commands: int = 0

    def live_on(self, now: float) -> None:
        """Move the end of a token that slides: so long after its last use."""
        if self.slides_s is not None:
            self.until = now + self.slides_s
            self.expires = datetime.now(UTC) + timedelta(seconds=self.slides_s)

    def facts(self) -> dict[str, Any]:
        """Describe the token to the owner; its secret is not known here."""
        terms = self.terms
        return {
            "clientId": terms.client,
            "kind": self.kind.name.lower(),
            "scopes": terms.scopes.list(),
            "domains": list(terms.domains),
            "tabPolicy": terms.tabs.value,
            "rateLimit": terms.rate,
            "createdAt": stamp(self.created),
            "expiresAt": stamp(self.expires) if self.expires else None,
            "commandCount": self.commands,
            "pending": self.kind is TokenKind.SETUP,
        }


class Issued(msgspec.Struct, frozen=True):
    """A new token. The secret is returned once, here, and stored nowhere."""

    token: str
    grant: Grant


class Tokens:
    """All tokens and set-up keys of this daemon."""

    def __init__(self, root: str, *, clock: Callable[[], float] = elapsed) -> None:
        self._root = _digest(root)
        self._clock = clock
        self._grants: dict[bytes, Grant] = {}
        self._on_revoked: list[Callable[[str], None]] = []

    def on_revoked(self, listener: Callable[[str], None]) -> None:
        """Register a listener, called with the name of every client that loses its rights."""
        self._on_revoked.append(listener)

    def is_root(self, token: str) -> bool:
        return hmac.compare_digest(_digest(token), self._root)

    def find(self, token: str) -> Grant | None:
        """Return the grant of a bearer token; a set-up key is not one."""
        grant = self._grants.get(_digest(token))
        if grant is None or grant.kind is TokenKind.SETUP:
            return None
        if grant.until <= self._clock():
            self.revoke(grant.terms.client)
            return None
        grant.live_on(self._clock())
        return grant

    def issue(
        self,
        kind: TokenKind,
        terms: Terms,
        *,
        life_s: float | None = SESSION_S,
        slides: bool = False,
    ) -> Issued:
        """Issue a token; it replaces what its client had before.

        If the terms are narrower, what the client runs ends too: its scripts have the rights that
        it had. One that slides ends `life_s` after its last use, any other `life_s` after it was
        issued.
        """
        if self._reduced_by(terms):
            self.revoke(terms.client)
        self._drop(terms.client)
        issued = self._add(kind, terms, life_s)
        issued.grant.slides_s = life_s if slides else None
        return issued

    def invite(self, terms: Terms) -> tuple[Issued, int | None]:
        """Issue a set-up key. If the terms are narrower than the client's, its tokens end at once.

        Also returns how many tokens were revoked for it; None when the client keeps its tokens.
        """
        revoked = self.revoke(terms.client) if self._reduced_by(terms) else None
        self._drop(terms.client, only=TokenKind.SETUP)
        return self._add(TokenKind.SETUP, terms, SETUP_S), revoked

    def exchange(self, key: str) -> Issued:
        """Exchange a set-up key for the token of its client; a key works once."""
        grant = self._grants.get(_digest(key))
        if grant is None or grant.kind is not TokenKind.SETUP or grant.until <= self._clock():
            raise BrowseError(
                Code.UNAUTHENTICATED,
                "The set-up key is not valid: unknown, used already, or older than 5 minutes.",
                hint="ask the owner to run `browse pair-agent` again",
            )
        return self.issue(TokenKind.SESSION, grant.terms, slides=True)

    def revoke(self, client: str) -> int:
        """Revoke all tokens of a client, cancel its commands, and return how many tokens it had."""
        count = self._drop(client)
        if count:
            for listener in self._on_revoked:
                listener(client)
        return count

    def agents(self) -> list[Grant]:
        """List the clients that have a token or a set-up key, oldest first."""
        now = self._clock()
        for key, grant in list(self._grants.items()):
            if grant.until <= now and grant.kind is TokenKind.SETUP:
                del self._grants[key]
            elif grant.until <= now:
                self.revoke(grant.terms.client)
        return sorted(self._grants.values(), key=lambda grant: grant.created)

    def _reduced_by(self, terms: Terms) -> bool:
        """Check whether a client has a token for something that these terms forbid it."""
        held = [it for it in self.agents() if it.terms.client == terms.client]
        return any(terms.reduces(it.terms) for it in held if it.kind is TokenKind.SESSION)

    def _drop(self, client: str, *, only: TokenKind | None = None) -> int:
        gone = [
            key
            for key, grant in self._grants.items()
            if grant.terms.client == client and only in (None, grant.kind)
        ]
        for key in gone:
            del self._grants[key]
        return len(gone)

    def _add(self, kind: TokenKind, terms: Terms, life_s: float | None) -> Issued:
        token = kind.value + secrets.token_hex(24)
        now = datetime.now(UTC)
        grant = Grant(
            kind,
            terms,
            until=self._clock() + (float("inf") if life_s is None else life_s),
            created=now,
            expires=None if life_s is None else now + timedelta(seconds=life_s),
        )
        self._grants[_digest(token)] = grant
        return Issued(token, grant)


def new_root_token(chosen: str) -> str:
    """Return the token that the owner set, else a random one for this daemon's life."""
    return chosen or str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
