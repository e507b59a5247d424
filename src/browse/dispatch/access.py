"""The ways into this daemon, as far as the owner's commands open and close them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from browse.auth.tokens import Tokens


class Gateway(Protocol):
    """The second listener and its tunnel."""

    @property
    def url(self) -> str | None: ...

    def status(self) -> dict[str, Any]: ...

    async def start(self) -> tuple[str, bool]: ...

    async def stop(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Doors:
    """Who has a key, how a client's tabs are taken back, and the way in from outside."""

    tokens: Tokens
    release: Callable[[str], int]
    gateway: Gateway
    local_url: str

    def revoke(self, client: str) -> tuple[int, int]:
        """End a client's tokens and all it has under way; tell how many tokens and tabs it had."""
        tabs = self.release(client)
        return self.tokens.revoke(client), tabs
