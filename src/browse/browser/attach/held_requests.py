"""Hold requests of our pages only, where the driver asks to hold those of the whole browser.

Request rules are set for a browser as a whole. In a browser that is not ours they are set for each
of our pages and frames, before its first request, in a session of our own.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol

from browse.browser.attach import messages
from browse.browser.attach.messages import CdpMessage, Params

DOCUMENTS = ("page", "iframe")
ENABLE, DISABLE = "Fetch.enable", "Fetch.disable"
HELD = ("Fetch.requestPaused", "Fetch.authRequired")


class Ask(Protocol):
    """Send a command to the browser, and return its answer; empty if it is an error."""

    def __call__(
        self, method: str, params: Params, session: str = ""
    ) -> Coroutine[None, None, Params]: ...


class HeldRequests:
    """The sessions in which requests are held: for each who asks, one in every page and frame."""

    def __init__(self, ask: Ask, attach: Callable[[str], Awaitable[str]]) -> None:
        self._ask = ask
        self._attach = attach
        self._asked: dict[str, Params] = {}  # the patterns, by who asked
        self._targets: set[str] = set()
        # Our sessions: in which target, and for whom, if for anybody.
        self._sessions: dict[str, tuple[str, str | None]] = {}

    async def enable(self, asked_by: str, params: Params) -> None:
        """Hold requests in all our pages from now on, and in those to come."""
        is_new = asked_by not in self._asked
        self._asked[asked_by] = params
        if is_new:
            for target in list(self._targets):
                await self._open(target, asked_by)
        else:
            for session in self._of(asked_by):
                await self._ask(ENABLE, params, session)

    async def disable(self, asked_by: str) -> None:
        """Hold no more requests for who asks."""
        if self._asked.pop(asked_by, None) is not None:
            for session in self._of(asked_by):
                self._sessions[session] = self._sessions[session][0], None
                await self._ask(DISABLE, {}, session)

    async def cover(self, info: Params) -> str:
        """Hold the requests of a new page or frame too; return a session of ours in it, if new."""
        target = info["targetId"]
        if info["type"] not in DOCUMENTS or target in self._targets:
            return ""
        self._targets.add(target)
        askers: list[str | None] = [*self._asked] or [None]
        opened = [await self._open(target, asked_by) for asked_by in askers]
        return opened[0]

    async def _open(self, target: str, asked_by: str | None) -> str:
        if session := await self._attach(target):
            self._sessions[session] = target, asked_by
            if asked_by is not None:
                await self._ask(ENABLE, self._asked[asked_by], session)
        return session

    def _of(self, asked_by: str) -> list[str]:
        return [session for session, (_, who) in self._sessions.items() if who == asked_by]

    def forget(self, target: str) -> None:
        """Forget a page or frame that is gone."""
        self._targets.discard(target)
        self._sessions = {one: it for one, it in self._sessions.items() if it[0] != target}

    def has(self, session: str) -> bool:
        """Check whether a session is one of ours in a page."""
        return session in self._sessions

    def told(self, message: CdpMessage) -> bytes | None:
        """Write how the driver is told of a held request; None for anything else."""
        asked_by = self._sessions[message.session][1]
        if message.method not in HELD or asked_by is None:
            return None
        params = message.read_params()
        # Numbers of requests are unique in a session only.
        named = {**params, "requestId": f"{message.session}:{params['requestId']}"}
        return messages.event(message.method, named, asked_by)


def place(params: Params) -> tuple[str, Params]:
    """Return the session in which a request is held, and the same command for it."""
    session, _, id = str(params.get("requestId", "")).partition(":")
    return session, {**params, "requestId": id}
