"""The connection to a browser that is not ours, and the driver's part of it."""

import asyncio
import itertools
import logging
from contextlib import suppress

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from browse.browser.attach import messages
from browse.browser.attach.door import PLAIN, Door, quiet
from browse.browser.attach.endpoint import socket_address, unusable
from browse.browser.attach.extension_browser import ExtensionBrowser
from browse.browser.attach.messages import CdpMessage, Params
from browse.browser.attach.passage import Passage
from browse.browser.network.debugging_ports import DebuggingPorts, LookUp, ports_of
from browse.browser.tabs.other_tabs import OtherPage
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
ASK_S = 10.0
CLOSE_S = 2.0
MAX_WAITING = 10_000
# Pages that are parts of the browser's own windows.
PARTS = ("devtools:", "chrome://omnibox-popup.top-chrome/")


class Relay:
    """Reads from the browser, and passes on to the driver what concerns it."""

    def __init__(self, browser: ClientConnection | ExtensionBrowser, *addresses: str) -> None:
        self._browser = browser
        self._addresses = addresses
        self.product = ""
        self._passage = Passage(self._ask, to_driver=self._tell, to_browser=self._send)
        self._door = Door(self._passage.on_driver, self._leave)
        self._ids = itertools.count(-1, -1)
        self._answers: dict[int, asyncio.Future[CdpMessage]] = {}
        self._queue: asyncio.Queue[tuple[CdpMessage, bytes]] = asyncio.Queue(MAX_WAITING)
        self._reading = spawn(self._read_browser(), name="read from the browser")
        self._passing: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    @classmethod
    async def to(cls, address: str) -> "Relay":
        """Connect to a browser; raise if there is none."""
        socket = await socket_address(address)
        try:
            browser = await connect(socket, open_timeout=ASK_S, logger=quiet(), **PLAIN)
        except (OSError, WebSocketException, TimeoutError) as exc:
            why = f"it opens no WebSocket for us ({type(exc).__name__})"
            raise unusable(address, why) from exc
        relay = cls(browser, address, socket)
        if not await relay.introduce():
            await relay.close()
            raise unusable(address, "it does not speak the DevTools protocol of a browser")
        return relay

    @classmethod
    async def over(cls, browser: ExtensionBrowser) -> "Relay":
        """Go on over the extension of a browser; all that it shares is ours to use."""
        relay = cls(browser)
        browser.share_with(relay.own)
        await relay.introduce()
        return relay

    async def introduce(self) -> bool:
        """Learn which browser it is; return whether it is one."""
        version = await self._ask("Browser.getVersion", {})
        reply = await self._ask("Target.attachToBrowserTarget", {}) if version else {}
        product = str(version.get("product", ""))[:100]
        self.product = product if product.isprintable() else ""
        self._passage.own_session = str(reply.get("sessionId", ""))
        self._passing = spawn(self._pass_on(), name="pass on what the browser says")
        return bool(self.product and self._passage.own_session)

    async def ports(self, look_up: LookUp) -> DebuggingPorts:
        """Tell where the browser listens for programs."""
        info = await self._ask("SystemInfo.getInfo", {})
        return await ports_of(self._addresses, str(info.get("commandLine", "")), look_up)

    def own(self, target: str) -> None:
        """Take a page as ours to use."""
        self._passage.owned.targets.add(target)

    async def listen(self) -> str:
        """Wait for the driver; return the address for it."""
        return await self._door.open()

    async def others(self) -> list[OtherPage]:
        """List the pages of the person's."""
        listed = await self._ask("Target.getTargets", {})
        return [
            OtherPage(it["targetId"], it["title"], it["url"])
            for it in listed.get("targetInfos", ())
            if it["type"] == "page"
            and not it["url"].startswith(PARTS)
            and not self._passage.owned.takes(it)
        ]

    async def take(self, target: str) -> bool:
        """Show a page of the person's to the driver; return whether it is still there."""
        self.own(target)
        reply = await self._ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        if not reply:
            self._passage.forget(target)
        return bool(reply)

    async def close(self) -> None:
        """Close the pages that we opened, and leave the browser as it is otherwise."""
        self._leave()
        if self._closing:
            await self._closing

    def _leave(self) -> None:
        self._closing = self._closing or spawn(self._end(), name="leave the browser")

    async def _end(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                for target in list(self._passage.owned.opened):
                    await self._ask("Target.closeTarget", {"targetId": target})
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._browser.close()
        await self._door.close()
        if self._passing:
            self._passing.cancel()

    async def _read_browser(self) -> None:
        with suppress(ConnectionClosed, ValueError):
            async for data in self._browser:
                raw = data.encode() if isinstance(data, str) else data
                message = messages.read(raw)
                if (answer := self._answers.pop(message.id or 0, None)) is None:
                    await self._queue.put((message, raw))
                elif not answer.done():
                    answer.set_result(message)
        log.info("the connection to the browser has ended")
        for answer in self._answers.values():
            answer.cancel()
        await self._door.close()

    async def _pass_on(self) -> None:
        while True:
            await self._passage.on_browser(*await self._queue.get())

    async def _tell(self, raw: bytes) -> None:
        await self._door.tell(raw)

    async def _send(self, raw: bytes) -> None:
        with suppress(ConnectionClosed):  # the driver is shown out
            await self._browser.send(raw, text=True)

    async def _ask(self, method: str, params: Params, session: str = "") -> Params:
        """Send a command of our own; return its answer, empty if it is an error or none came."""
        id = next(self._ids)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        try:
            await self._send(messages.command(id, method, params, session))
            done, _ = await asyncio.wait([answer], timeout=ASK_S)
            return answer.result().read_result() if done and not answer.cancelled() else {}
        finally:
            self._answers.pop(id, None)
