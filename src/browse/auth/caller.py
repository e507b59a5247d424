"""A caller: who sent a command, over which listener, with which rights."""

import hmac
import secrets
import uuid
from dataclasses import dataclass

from browse.core.scopes import Scope, Surface


@dataclass(frozen=True, slots=True)
class Caller:
    """The identity that every gate looks at."""

    name: str
    scopes: Scope
    surface: Surface


ROOT = Caller("root", Scope.every(), Surface.LOCAL)


def new_root_token(chosen: str) -> str:
    """Take the token that the owner set, else make a random one for this daemon's life."""
    return chosen or str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))


def bearer(header: str) -> str:
    """Take the token out of an `Authorization` header; "" when it is not a bearer."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def same_secret(one: str, two: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), two.encode("utf-8", "replace"))
