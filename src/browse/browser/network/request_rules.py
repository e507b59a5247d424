"""Request rules: what a tab may send, whichever part of it does the sending.

While there is a rule, Chromium holds every request until it is decided here, redirects, frames,
workers and popups included; without one, no request to the network is held. Requests for files are
always held (`file_requests.py`). A request that cannot be attributed to a tab is decided as if it
came from one with rules. WebSockets are decided at the SOCKS proxy, which does not know the tab: it
lets a host through that no rule objects to, or that a tab without rules has asked for. Calls
between browsers (WebRTC) are no requests, and do not get out while there is a rule.

A browser that is not ours does not use the proxy. There, every request of our tabs is held, and its
address is checked here.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit
from weakref import WeakSet

import msgspec
from playwright.async_api import Browser, CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import session_of
from browse.browser.network import file_requests
from browse.browser.network.frame_owners import FrameOwners, Info, UnknownOwner
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.page_ids import PageIds
from browse.browser.network.refusals import Refusal, Refusals
from browse.browser.network.socks_proxy import Entrance
from browse.core.tasks import spawn
from browse.guard import domains
from browse.guard.hosts import host_of

log = logging.getLogger(__name__)
# A request may outlive its page by so long (`keepalive`), and so do the rules for it.
LINGER_S = 30.0
# How long the proxy waits for a tab without rules to ask for a host.
VOUCH_S = 3.0
_ELSEWHERE = "this tab may not send anything to that domain"
_LIFT = "the owner lifts the rules of a tab with `browse goto <url> --allowed-domains any`"
MAX_VOUCHED = 10_000
_READING = ("GET", "HEAD")
_SHARED = ("service_worker", "shared_worker")
_INNER = ("data", "blob", "about")
_EVERY = {"patterns": [{"urlPattern": "*"}]}
_FILES = {"patterns": [{"urlPattern": file_requests.PATTERN}]}
_NO_COPIES = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
_NONE = {"patterns": [{"urlPattern": "none:*"}]}
# Returns why nothing may be sent to an address; "" when it may.
AddressObjection = Callable[[str], Awaitable[str]]


class TabRules(msgspec.Struct, frozen=True):
    """What may be sent: to which domains (None: all), and whether only to read."""

    domains: tuple[str, ...] | None = None
    read_only: bool = False

    def objection(self, method: str, url: str) -> str:
        """Return why a request may not be sent; "" when it may."""
        scheme = urlsplit(url).scheme
        if scheme in _INNER:
            return ""
        if self.read_only and method not in _READING:
            return f"only reading is allowed, and this is a {method[:20]} request"
        if self.domains is not None and not (
            scheme in ("http", "https") and domains.covers_url(self.domains, url)
        ):
            return _ELSEWHERE
        return ""

    def objection_to_socket(self, host: str) -> str:
        if self.read_only:
            return "only reading is allowed, and a WebSocket may send"
        if self.domains is not None and not domains.covers(self.domains, host):
            return _ELSEWHERE
        return ""


class RequestRules:
    """The request rules of a browser: those for all tabs, if any, and those of single tabs."""

    def __init__(
        self,
        refusals: Refusals,
        scan: OutboundScan,
        everywhere: TabRules,
        *,
        addresses: AddressObjection | None = None,
        vouch_s: float = VOUCH_S,
    ) -> None:
        self._browser: Browser | None = None
        self._scan = scan
        self._refusals = refusals
        self._everywhere = everywhere
        self._addresses = addresses
        self._always = everywhere != TabRules() or addresses is not None
        self._vouch_s = vouch_s
        self._rules: dict[str, TabRules | None] = {}
        self._ids = PageIds()
        self.files = file_requests.FileRequests(self._ids)
        self._vouched: dict[Entrance, set[str]] = {"web": set(), "websocket": set()}
        self._watched: WeakSet[Page] = WeakSet()
        self._news = asyncio.Event()
        self._turn = asyncio.Lock()
        self._session: CDPSession | None = None
        self._owners: FrameOwners | None = None
        self._holding = False
        self._lapsed: set[str] = set()  # pages that are gone, and whose rules no request needs

    async def begin(self, browser: Browser) -> None:
        """Hold requests for files, and apply the rules for all tabs, before there is a tab."""
        self._browser = browser
        self._session = await browser.new_browser_cdp_session()
        self._owners = FrameOwners(self._session)
        self.files.begin(self._owners)
        self._session.on("Fetch.requestPaused", self._on_request)
        self._session.on("Target.targetCreated", self._on_target)
        self._session.on("Target.targetDestroyed", self._on_gone)
        await self._session.send("Fetch.enable", _FILES)
        if self._always:
            async with self._turn:
                await self._hold()

    async def set(self, page: Page, rules: TabRules | None) -> None:
        """Set the rules of a page and of what it opens, or lift them; holds for what is next."""
        async with self._turn:
            self._rules[await self._ids.of(page)] = rules
            if rules:
                await self._hold()
                await self._catch(page)
            else:
                await self._release_if_free()

    async def of(self, page: Page) -> TabRules | None:
        """Return the rules of a page: its own, or those of the page that opened it."""
        if not any(self._rules.values()) or self._owners is None:
            return None
        return self._of_page(await self._ids.of(page), await self._owners.targets())

    def are_there(self) -> bool:
        """Check whether there is a rule, of a tab or for all tabs."""
        return self._holding

    def watch(self, page: Page) -> None:
        """Watch the page of a tab."""
        if self._holding:
            spawn(self._watch_sockets(page), name="watch WebSockets")

    async def objection(self, entrance: Entrance, host: str) -> str:
        """Return why the proxy may not connect to a host; "" when it may."""
        inside = [rules for rules in self._rules.values() if rules]
        if entrance == "websocket":
            if why := self._everywhere.objection_to_socket(host):
                return why
            said = (rules.objection_to_socket(host) for rules in inside)
        else:
            # Chromium connects for more than requests: in advance, or for calls between browsers.
            said = (TabRules(rules.domains).objection_to_socket(host) for rules in inside)
        why = next((one for one in said if one), "")
        return why if why and not await self._is_vouched(entrance, host) else ""

    async def _is_vouched(self, entrance: Entrance, host: str) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._vouch_s):
                while host not in self._vouched[entrance]:
                    self._news.clear()
                    await self._news.wait()
        return host in self._vouched[entrance]

    def _vouch(self, entrance: Entrance, host: str) -> None:
        vouched = self._vouched[entrance]
        if len(vouched) >= MAX_VOUCHED:
            vouched.clear()
        vouched.add(host)
        self._news.set()

    async def _watch_sockets(self, page: Page) -> None:
        """Watch the WebSockets of a page, to vouch for those of pages without rules."""
        if page in self._watched:
            return

        def on_socket(event: Info) -> None:
            spawn(self._vouch_for(page, host_of(event["url"])), name="vouch for a WebSocket")

        self._watched.add(page)
        with suppress(DriverError):  # the page may be closed already
            session = await session_of(page)
            await self._ids.learn(page, session)
            session.on("Network.webSocketCreated", on_socket)
            await session.send("Network.enable", _NO_COPIES)

    async def _vouch_for(self, page: Page, host: str) -> None:
        with suppress(DriverError):  # the page may be closed already
            if not await self.of(page):
                self._vouch("websocket", host)

    async def _hold(self) -> None:
        if self._holding:
            return
        browser = self._browser
        if browser is None or self._session is None or self._owners is None:
            raise RuntimeError("the rules were not begun")
        for id in await self._owners.targets():
            self._rules.setdefault(id, None)  # existing pages have no rules
        await self._session.send("Target.setDiscoverTargets", {"discover": True})
        await self._session.send("Fetch.enable", _EVERY)
        self._holding = self._scan.is_enforced = True
        pages = [page for context in browser.contexts for page in context.pages]
        await asyncio.gather(
            *(work(page) for page in pages for work in (self._catch, self._watch_sockets))
        )

    def _on_gone(self, event: Info) -> None:
        """Drop the rules of a page some time after it was closed."""
        if self._rules.get(event["targetId"]):
            spawn(self._lapse(event["targetId"]), name="request rules of a closed page")
        elif self._lapsed:  # it may have been the last worker of such a page
            spawn(self._drop_lapsed(), name="request rules of a closed page")

    async def _lapse(self, id: str) -> None:
        await asyncio.sleep(LINGER_S)
        self._lapsed.add(id)
        await self._drop_lapsed()

    async def _drop_lapsed(self) -> None:
        """Drop the rules of closed pages, unless a worker that they cover is still there."""
        if self._owners is None:
            return
        async with self._turn:
            with suppress(DriverError):  # the browser may be closed already
                targets = await self._owners.targets()
                workers = [info["url"] for info in targets.values() if info["type"] in _SHARED]
                for id in list(self._lapsed):
                    rules = self._rules.get(id)
                    if not rules or all(rules.objection("GET", url) for url in workers):
                        self._lapsed.discard(id)
                        self._rules.pop(id, None)
                await self._release_if_free()

    async def _release_if_free(self) -> None:
        """Hold no more requests if there is no rule left."""
        if not any(self._rules.values()) and not self._always:
            await self._release()

    async def _release(self) -> None:
        if self._holding and self._session:
            log.info("no tab has request rules any more: requests are not held")
            self._holding = self._scan.is_enforced = False
            await self._session.send("Fetch.enable", _FILES)
            await self._session.send("Target.setDiscoverTargets", {"discover": False})
            self._rules.clear()
            self._lapsed.clear()
            for vouched in self._vouched.values():
                vouched.clear()

    async def _catch(self, page: Page) -> None:
        """Hold the requests of documents that are already loaded, too."""
        places: list[Page | Frame] = [page]
        places += [frame for frame in page.frames if frame.parent_frame]
        for place in places:
            with suppress(DriverError):  # a frame without a process of its own, or gone
                session = await session_of(place)
                await session.send("Fetch.enable", _NONE)
                await session.send("Fetch.disable")

    def _on_target(self, event: Info) -> None:
        """Copy the rules of its opener to a new page, while the opener is known for sure."""
        info = event["targetInfo"]
        if info["type"] == "page" and not info.get("subtype"):
            opener = info.get("openerId", "")
            if not opener or opener in self._rules:
                self._rules.setdefault(info["targetId"], self._rules.get(opener))

    def _on_request(self, event: Info) -> None:
        spawn(self._decide(event), name="a held request")

    async def _decide(self, event: Info) -> None:
        request = event["request"]
        reading = event["resourceType"] == "Preflight"  # Chromium's own question, not the page's
        method, url = "GET" if reading else request["method"], request["url"]
        try:
            if self._scan.objects(url, request["headers"], request.get("postData")):
                why = "it holds what was told to an agent in confidence"
            else:
                why = await self._why_not(event.get("frameId", ""), method, url)
        except (DriverError, UnknownOwner):
            why = "the tab that it came from is not known"
        if why:
            await self._refuse(event, _refusal(why))
        elif file_requests.is_file(url):
            loaded = await self.files.answer(event)
            if isinstance(loaded, Refusal):
                await self._refuse(event, loaded)
            else:
                await self._reply("fulfillRequest", event, **loaded.params())
        else:
            self._vouch("web", host_of(url))
            await self._reply("continueRequest", event)

    async def _refuse(self, event: Info, refusal: Refusal) -> None:
        self._refusals.note(event["request"]["url"], refusal)
        await self._reply("failRequest", event, errorReason="BlockedByClient")

    async def _reply(self, method: str, event: Info, **params: object) -> None:
        if self._session:
            with suppress(DriverError):  # the sender may be gone
                params["requestId"] = event["requestId"]
                await self._session.send(f"Fetch.{method}", params)

    async def _why_not(self, frame: str, method: str, url: str) -> str:
        if why := self._everywhere.objection(method, url):
            return why
        if self._addresses and (why := await self._addresses(url)):
            return why
        objections = {
            rules: rules.objection(method, url) for rules in self._rules.values() if rules
        }
        if not any(objections.values()):
            return ""
        return next((objections[it] for it in await self._of_frame(frame) if it), "")

    async def _of_frame(self, frame: str) -> list[TabRules]:
        """List the rules that a request of a frame or worker has to pass."""
        if frame in self._rules:
            rules = self._rules[frame]
            return [rules] if rules else []
        if self._owners is None:
            raise UnknownOwner
        targets = await self._owners.targets()
        info = targets.get(frame, {})
        if info.get("type") in _SHARED:
            return self._of_worker(info["url"])
        rules = self._of_page(await self._owners.page_of(frame), targets)
        return [rules] if rules else []

    def _of_worker(self, url: str) -> list[TabRules]:
        """List the rules of a worker that tabs share: of every tab that may open its address."""
        inside = {rules for rules in self._rules.values() if rules}
        return [rules for rules in inside if not rules.objection("GET", url)]

    def _of_page(self, id: str, targets: dict[str, Info]) -> TabRules | None:
        """Return the rules of a page: its own, or those of the page that opened it."""
        if id not in self._rules:
            info = targets.get(id, {})
            # A page that is gone, or that was opened in advance for any tab.
            if info.get("type") != "page" or info.get("subtype"):
                raise UnknownOwner
            opener = info.get("openerId", "")
            self._rules[id] = self._of_page(opener, targets) if opener else None
        return self._rules[id]


def _refusal(why: str) -> Refusal:
    return Refusal(why, hint=_LIFT) if why == _ELSEWHERE else Refusal(why)
