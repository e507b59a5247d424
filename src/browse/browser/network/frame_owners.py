"""Find the page that a frame belongs to, by the frame's id, over CDP.

A frame that was removed from its page right after its request belongs to no page: `UnknownOwner`.
"""

import asyncio
from typing import Any

import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import Error as DriverError

ASK_S = 2.0
MAX_KEPT = 50_000
DOCUMENTS = ("page", "iframe")
Info = dict[str, Any]


class UnknownOwner(Exception):
    """The page is unknown; a decision that depends on it refuses the request."""


class FrameOwners:
    """Finds the page of a frame; a result never changes, so it is cached."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._pages: dict[str, str] = {}
        self._sessions: dict[str, str] = {}
        self._answers: dict[str, asyncio.Future[Info]] = {}
        self._turn = asyncio.Lock()
        session.on("Target.receivedMessageFromTarget", self._on_answer)

    async def targets(self) -> dict[str, Info]:
        listed = await self._session.send("Target.getTargets")
        return {info["targetId"]: info for info in listed["targetInfos"]}

    async def page_of(self, frame: str) -> str:
        """Return the id of the page that a frame is in."""
        async with self._turn:  # one survey serves all that wait
            if frame not in self._pages:
                await self._survey()
        if frame not in self._pages:
            raise UnknownOwner
        return self._pages[frame]

    async def _survey(self) -> None:
        """Ask every process of every page for its frames."""
        targets = await self.targets()
        self._sessions = {id: it for id, it in self._sessions.items() if id in targets}
        self._answers.clear()
        roots = [id for id, info in targets.items() if info["type"] in DOCUMENTS]
        listed = await asyncio.gather(*(self._frames(root) for root in roots))
        root_of = {id: root for root, ids in zip(roots, listed, strict=True) for id in ids}
        if len(self._pages) > MAX_KEPT:
            self._pages.clear()
        for frame in root_of:
            if page := _page(frame, root_of, targets):
                self._pages[frame] = page

    async def _frames(self, target: str) -> list[str]:
        """List the frames in the process of a document; none if it does not answer."""
        asked = msgspec.json.encode({"id": 1, "method": "Page.getFrameTree"}).decode()
        try:
            id = await self._attached(target)
            answer = self._answers[id] = asyncio.get_running_loop().create_future()
            await self._session.send(
                "Target.sendMessageToTarget", {"sessionId": id, "message": asked}
            )
            async with asyncio.timeout(ASK_S):
                return _ids(await answer)
        except (DriverError, TimeoutError):  # it does not respond, or is gone
            self._sessions.pop(target, None)
            return []

    async def _attached(self, target: str) -> str:
        # It stays attached: `cdp_sessions.py` says what a page loses when a session ends.
        if target not in self._sessions:
            reply = await self._session.send(
                "Target.attachToTarget", {"targetId": target, "flatten": False}
            )
            self._sessions[target] = reply["sessionId"]
        return self._sessions[target]

    def _on_answer(self, event: Info) -> None:
        answer = self._answers.get(event["sessionId"])
        said = msgspec.json.decode(event["message"])
        if answer and not answer.done() and said.get("id") == 1:
            answer.set_result(said.get("result", {}).get("frameTree", {}))


def _page(frame: str, root_of: dict[str, str], targets: dict[str, Info]) -> str:
    """Follow the parents of a frame up to its page; "" if one is missing."""
    for _ in range(len(targets)):
        root = targets[root_of[frame]]
        if root["type"] == "page":
            return str(root["targetId"])
        frame = root.get("parentFrameId", "")
        if frame not in root_of:
            return ""
    return ""


def _ids(tree: Info) -> list[str]:
    if not tree:
        return []
    below = [id for child in tree.get("childFrames", ()) for id in _ids(child)]
    return [tree["frame"]["id"], *below]
