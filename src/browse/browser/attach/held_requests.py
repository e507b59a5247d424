"""Hold requests of our pages only, where the driver asks to hold those of the whole browser.

Request rules are set for a browser as a whole. In a browser that is not ours they are set for each
of our pages and frames, before its first request, in a session of our own.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol

from browse.browser.attach import messages
from browse.browser.attach.messages import CdpMessage, Params

DOCUMENTS = ("page", "iframe")
ENABLE, DISABLE, PAUSED = "Fetch.enable", "Fetch.disable", "Fetch.requestPaused"


class Ask(Protocol):
    """Send a command to the browser, and return its answer; empty if it is an error."""

    def __call__(
        self, method: str, params: Params, session: str = ""
    ) -> Coroutine[None, None, Params]: ...


class HeldRequests:
    """The sessions in which requests are held, and for whom."""

    def __init__(self, ask: Ask, attach: Callable[[str], Awaitable[str]]) -> None:
        self._ask = ask
        self._attach = attach
        self._asked_by = ""
        self._patterns: Params | None = None
        self._targets: dict[str, str] = {}  # by our session in each

    async def enable(self, asked_by: str, params: Params) -> None:
        """Hold requests in all our pages from now on, and in those to come."""
        self._asked_by, self._patterns = asked_by, params
        for session in list(self._targets):
            await self._ask(ENABLE, params, session)

    async def disable(self) -> None:
        """Hold no more requests."""
        self._patterns = None
        for session in list(self._targets):
            await self._ask(DISABLE, {}, session)

    async def cover(self, info: Params) -> str:
        """Hold the requests of a new page or frame too; return our session in it, if it is new."""
        if info["type"] not in DOCUMENTS or info["targetId"] in self._targets.values():
            return ""
        if session := await self._attach(info["targetId"]):
            self._targets[session] = info["targetId"]
            if self._patterns is not None:
                await self._ask(ENABLE, self._patterns, session)
        return session

    def forget(self, target: str) -> None:
        """Forget a page or frame that is gone."""
        self._targets = {one: it for one, it in self._targets.items() if it != target}

    def has(self, session: str) -> bool:
        """Check whether a session is one of ours in a page."""
        return session in self._targets

    def told(self, message: CdpMessage) -> bytes | None:
        """Write how the driver is told of a held request; None for anything else."""
        if message.method != PAUSED:
            return None
        params = message.read_params()
        # Numbers of requests are unique in a session only.
        named = {**params, "requestId": f"{message.session}:{params['requestId']}"}
        return messages.event(PAUSED, named, self._asked_by)


def place(params: Params) -> tuple[str, Params]:
    """Return the session in which a request is held, and the same command for it."""
    session, _, id = str(params.get("requestId", "")).partition(":")
    return session, {**params, "requestId": id}
