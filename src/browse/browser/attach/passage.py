"""What passes between the driver and a browser that is not ours: what concerns our pages, no more.

The driver is shown no page of the person's, so it can neither read nor change one. `ownership.py`
says what is ours, and which commands are refused.
"""

from collections.abc import Awaitable, Callable

from browse.browser.attach import held_requests, messages
from browse.browser.attach.held_requests import Ask, HeldRequests
from browse.browser.attach.messages import CdpMessage, Params
from browse.browser.attach.ownership import Ownership
from browse.core.tasks import spawn

ATTACHED, DETACHED = "Target.attachedToTarget", "Target.detachedFromTarget"
NEWS = ("Target.targetCreated", "Target.targetInfoChanged")
ENDS = ("Target.targetDestroyed", "Target.targetCrashed")
CREATE = "Target.createTarget"
PAINTING: tuple[tuple[str, Params], ...] = (
    ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
    ("Page.enable", {}),
    ("Page.startScreencast", {"format": "jpeg", "quality": 1, "maxWidth": 16, "maxHeight": 16}),
)
Send = Callable[[bytes], Awaitable[None]]
Handler = Callable[[CdpMessage, bytes], Awaitable[None]]


class Passage:
    """Decides on each message, in order. `ask` sends a command of our own to the browser."""

    def __init__(self, ask: Ask, *, to_driver: Send, to_browser: Send) -> None:
        self._ask = ask
        self._to_driver = to_driver
        self._to_browser = to_browser
        self.own_session = ""  # of the browser, for commands of our own
        self.owned = Ownership()
        self._held = HeldRequests(ask, self._attach)
        self._of_browser = {""}  # sessions of the browser as a whole
        self._hidden: set[str] = set()
        self._awaited: dict[int, Handler] = {}
        self._creating: set[int] = set()
        self._undecided: list[tuple[CdpMessage, bytes]] = []
        self._after: dict[str, Handler] = {
            CREATE: self._created,
            "Target.createBrowserContext": self._context_made,
            "Target.attachToBrowserTarget": self._browser_attached,
            "Target.getTargets": self._listed,
        }

    async def _attach(self, target: str) -> str:
        """Open a session of our own in a page; "" if it is gone."""
        params = {"targetId": target, "flatten": True}
        reply = await self._ask("Target.attachToTarget", params, self.own_session)
        return str(reply.get("sessionId", ""))

    async def on_driver(self, message: CdpMessage, raw: bytes) -> None:
        """Pass on, change or refuse what the driver says."""
        to_browser = message.session in self._of_browser
        if to_browser and message.method.startswith("Fetch."):
            await self._on_fetch(message)
        elif why := self.owned.objection(message, to_browser=to_browser):
            await self._to_driver(messages.refusal(message, why))
        else:
            handler = self._after.get(message.method) if to_browser else None
            if handler and message.id is not None:
                self._awaited[message.id] = handler
            await self._to_browser(self._quietly(message) if message.method == CREATE else raw)

    def _quietly(self, message: CdpMessage) -> bytes:
        """Open a page in the person's windows behind what they look at."""
        params, id = message.read_params(), message.id or 0
        self._creating.add(id)
        if not params.get("browserContextId"):
            params["background"] = True
        return messages.command(id, message.method, params, message.session)

    async def _on_fetch(self, message: CdpMessage) -> None:
        params = message.read_params()
        if message.method == held_requests.ENABLE:
            await self._held.enable(message.session, params)
            await self._to_driver(messages.answer(message, {}))
        elif message.method == held_requests.DISABLE:
            await self._held.disable(message.session)
            await self._to_driver(messages.answer(message, {}))
        elif message.id is not None:
            session, params = held_requests.place(params)
            self._awaited[message.id] = self._as_of(message.session)
            await self._to_browser(messages.command(message.id, message.method, params, session))

    def _as_of(self, session: str) -> Handler:
        async def answered(message: CdpMessage, _: bytes) -> None:
            message.session = session
            await self._to_driver(messages.written(message))

        return answered

    async def on_browser(self, message: CdpMessage, raw: bytes) -> None:
        """Pass on, change or keep back what the browser says."""
        if message.session and message.session == self.own_session:
            return
        if message.id is not None:
            handler = self._awaited.pop(message.id, self._pass)
            await handler(message, raw)
        elif self._held.has(message.session):
            if told := self._held.told(message):
                await self._to_driver(told)
        elif message.method == ATTACHED:
            await self._on_attached(message, raw)
        elif message.method == DETACHED:
            await self._on_detached(message, raw)
        elif message.method in (*NEWS, *ENDS):
            await self._on_news(message, raw)
        else:
            await self._to_driver(raw)

    async def _pass(self, _: CdpMessage, raw: bytes) -> None:
        await self._to_driver(raw)

    async def _on_attached(self, message: CdpMessage, raw: bytes) -> None:
        info: Params = message.read_params()["targetInfo"]
        if message.session not in self._of_browser:  # a frame or a worker of a page of ours
            self.owned.targets.add(info["targetId"])
        elif message.session == "" and info["type"] != "browser" and not self.owned.takes(info):
            if info["type"] == "page" and self._creating:
                self._undecided.append((message, raw))  # it may be the one that is just created
            else:
                self._let_go(message)
            return
        self.owned.attached(message.read_params()["sessionId"], info)
        session = await self._held.cover(info)
        if session and info["type"] == "page":
            spawn(self._keep_painting(session), name="let a page paint behind others")
        await self._to_driver(raw)

    async def _keep_painting(self, session: str) -> None:
        """Let a page believe that it is in front, and paint: behind another tab it would not.

        A page paints while somebody wants its frames; none is ever fetched. It answers only once it
        runs, so nobody waits for this.
        """
        for method, params in PAINTING:
            await self._ask(method, params, session)

    def _let_go(self, message: CdpMessage) -> None:
        """Leave a page or a worker of the person's, as it is; nobody waits for that.

        A service worker of a page of ours answers only once the driver has let go of it, too.
        """
        session = message.read_params()["sessionId"]
        self._hidden.add(session)
        spawn(self._leave(session), name="leave what is not ours")

    async def _leave(self, session: str) -> None:
        await self._ask("Runtime.runIfWaitingForDebugger", {}, session)
        await self._ask("Target.detachFromTarget", {"sessionId": session})

    async def _on_detached(self, message: CdpMessage, raw: bytes) -> None:
        params = message.read_params()
        if params["sessionId"] in self._hidden:
            self._hidden.discard(params["sessionId"])
            return
        self.owned.detached(params["sessionId"])
        await self._to_driver(raw)

    async def _on_news(self, message: CdpMessage, raw: bytes) -> None:
        params = message.read_params()
        if message.method in NEWS:
            if self.owned.takes(params["targetInfo"]):
                await self._to_driver(raw)
        elif params["targetId"] in self.owned.targets:
            if message.method == ENDS[0]:
                self.forget(params["targetId"])
            await self._to_driver(raw)

    def forget(self, target: str) -> None:
        """Forget a page that is gone, or no longer ours."""
        self.owned.forget(target)
        self._held.forget(target)

    async def _created(self, message: CdpMessage, raw: bytes) -> None:
        """A page was created, or not: decide on the pages that came meanwhile."""
        self._creating.discard(message.id or 0)
        if target := message.read_result().get("targetId"):
            self.owned.opens(target)
        waiting, self._undecided = self._undecided, []
        for one in waiting:
            await self._on_attached(*one)
        await self._to_driver(raw)

    async def _context_made(self, message: CdpMessage, raw: bytes) -> None:
        if context := message.read_result().get("browserContextId"):
            self.owned.contexts.add(context)
        await self._to_driver(raw)

    async def _browser_attached(self, message: CdpMessage, raw: bytes) -> None:
        if session := message.read_result().get("sessionId"):
            self._of_browser.add(session)
        await self._to_driver(raw)

    async def _listed(self, message: CdpMessage, _: bytes) -> None:
        result = message.read_result()
        ours = [it for it in result.get("targetInfos", ()) if self.owned.takes(it)]
        await self._to_driver(
            messages.answer(message, {**result, "targetInfos": ours} if result else {})
        )
