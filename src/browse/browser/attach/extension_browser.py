"""A person's browser behind our extension, as if it spoke the DevTools protocol itself.

The extension debugs single tabs (`chrome.debugger`): one session for each, and no browser above
them. So what is asked of the browser is answered here, and several sessions in a tab share its one:
each is told of the domains that it has enabled, and none disables what another needs.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, ClassVar

import msgspec

from browse.browser.attach import messages
from browse.browser.attach.messages import CdpMessage, Params
from browse.browser.driver_messages import NOT_OURS
from browse.core.tasks import spawn

NOT_HERE = f"{NOT_OURS}, and not through the extension"
LEFT = "Target closed: the extension has left"
_AT_END: tuple[tuple[str, Params], ...] = (
    ("Fetch.disable", {}),
    (
        "Target.setAutoAttach",
        {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True},
    ),
    ("Page.stopScreencast", {}),
    ("Emulation.setFocusEmulationEnabled", {"enabled": False}),
)
Send = Callable[[Params], Awaitable[None]]


class SharedTab(msgspec.Struct):
    """A tab that the extension debugs; its info is as the protocol has it."""

    id: int
    info: Params
    main: str = ""  # the session that was attached first
    fetching: str = ""  # the session that holds requests
    # Frames and workers, by session.
    children: dict[str, Params] = msgspec.field(default_factory=dict)


class SharedSession(msgspec.Struct):
    """A session of the driver's: in a tab, or in a frame of it (`child`)."""

    tab: SharedTab
    child: str
    parent: str
    flat: bool
    domains: set[str] = msgspec.field(default_factory=set)


class RefusedHere(Exception):
    """What the extension, or the browser behind it, does not do."""


class ExtensionBrowser:
    """Reads and writes like the socket of a browser; `tell` sends to the extension."""

    def __init__(self, tell: Send, product: str, user_agent: str) -> None:
        self._tell = tell
        self._version = {
            "protocolVersion": "1.3",
            "product": product,
            "revision": "",
            "userAgent": user_agent,
            "jsVersion": "",
        }
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._ids = itertools.count(1)
        self._names = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Params]] = {}
        self._tabs: dict[int, SharedTab] = {}
        self._of_browser = {""}
        self._sessions: dict[str, SharedSession] = {}
        self._attaching = False
        self._has_left = False
        self._discovering: set[str] = set()
        self._share: Callable[[str], object] = lambda _: None

    # As the socket of a browser.

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._read()

    async def _read(self) -> AsyncIterator[bytes]:
        while (raw := await self._out.get()) is not None:
            yield raw

    async def send(self, raw: bytes, *, text: bool = True) -> None:
        """Take a command; it is answered when its answer is known, others go on meanwhile."""
        spawn(self._run(messages.read(raw)), name="a command through the extension")

    async def close(self) -> None:
        """End what was begun in the tabs; they stay shared, for who comes next."""
        self._out.put_nowait(None)
        self._out = asyncio.Queue()
        self._sessions.clear()
        self._of_browser, self._discovering, self._attaching = {""}, set(), False
        self._share = lambda _: None
        for tab in self._tabs.values():
            tab.main, tab.fetching = "", ""
            tab.children.clear()
            for method, params in _AT_END:
                await self._tell(
                    {
                        "id": 0,
                        "op": "send",
                        "tab": tab.id,
                        "child": "",
                        "method": method,
                        "params": params,
                    }
                )

    def left(self) -> None:
        """End everything: the extension has left."""
        self._tabs.clear()
        self._has_left = True
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result({"error": LEFT})
        self._out.put_nowait(None)

    def share_with(self, share: Callable[[str], object]) -> None:
        """Tell of every tab that is shared, now and later."""
        self._share = share
        for tab in self._tabs.values():
            share(tab.info["targetId"])

    async def _run(self, message: CdpMessage) -> None:
        try:
            answer = messages.answer(message, await self._answer(message))
        except RefusedHere as exc:
            answer = messages.refusal(message, str(exc))
        self._out.put_nowait(answer)

    async def _answer(self, message: CdpMessage) -> Params:
        params = message.read_params()
        if message.session in self._of_browser:
            handler = self._browser.get(message.method)
            if handler is None:
                raise RefusedHere(f"{NOT_HERE}: {message.method}")
            return dict(await handler(self, message.session, params))
        if session := self._sessions.get(message.session):
            return await self._in_session(message.session, session, message.method, params)
        for tab in self._tabs.values():
            if message.session in tab.children:
                return await self._ask_tab(tab, message.session, message.method, params)
        raise RefusedHere("Session with given id not found.")

    # What the browser as a whole is asked.

    async def _get_version(self, _: str, __: Params) -> Params:
        return dict(self._version)

    async def _new_browser_session(self, _: str, __: Params) -> Params:
        name = f"browser-{next(self._names)}"
        self._of_browser.add(name)
        return {"sessionId": name}

    async def _auto_attach(self, session: str, _: Params) -> Params:
        if session == "":
            self._attaching = True
            for tab in self._tabs.values():
                self._attach_main(tab)
        return {}

    async def _discover(self, session: str, params: Params) -> Params:
        (self._discovering.add if params.get("discover") else self._discovering.discard)(session)
        return {}

    async def _targets(self, _: str, __: Params) -> Params:
        children = [it for tab in self._tabs.values() for it in tab.children.values()]
        return {"targetInfos": [*(tab.info for tab in self._tabs.values()), *children]}

    async def _target_info(self, _: str, params: Params) -> Params:
        if "targetId" not in params:
            return {
                "targetInfo": {"targetId": "browser", "type": "browser", "title": "", "url": ""}
            }
        return {"targetInfo": self._find(params)[0].info}

    async def _create(self, _: str, params: Params) -> Params:
        if params.get("browserContextId") not in (None, self._context()):
            raise RefusedHere(f"{NOT_HERE}: other sessions than the person's")
        made = await self._ask("open", url=params.get("url", "about:blank"))
        return {"targetId": self._tabs[made["tab"]].info["targetId"]}

    async def _close_target(self, _: str, params: Params) -> Params:
        await self._ask("close", tab=self._find(params)[0].id)
        return {"success": True}

    async def _activate(self, _: str, params: Params) -> Params:
        await self._ask("activate", tab=self._find(params)[0].id)
        return {}

    async def _attach_to(self, session: str, params: Params) -> Params:
        tab, child = self._find(params)
        info = tab.children[child] if child else tab.info
        name = self._add(tab, child, session, flat=bool(params.get("flatten")), info=info)
        return {"sessionId": name}

    async def _detach_from(self, _: str, params: Params) -> Params:
        self._drop(params.get("sessionId", ""))
        return {}

    async def _send_message(self, session: str, params: Params) -> Params:
        inner = messages.read(params["message"])
        inner.session = params["sessionId"]

        async def later() -> None:
            try:
                said: Params = {"id": inner.id, "result": await self._answer(inner)}
            except RefusedHere as exc:
                said = {"id": inner.id, "error": {"code": -32000, "message": str(exc)}}
            told = {"sessionId": params["sessionId"], "message": msgspec.json.encode(said).decode()}
            self._event(session, "Target.receivedMessageFromTarget", told)

        spawn(later(), name="a message through the extension")
        return {}

    async def _in_any_tab(self, method: str, params: Params) -> Params:
        tab = next(iter(self._tabs.values()), None)
        if tab is None:
            raise RefusedHere(f"{NOT_HERE} while no tab is shared")
        return await self._ask_tab(tab, "", method, params)

    async def _get_cookies(self, _: str, __: Params) -> Params:
        """Return the cookies of what is shown in shared tabs: others are not shared."""
        found: dict[str, Params] = {}
        for tab in list(self._tabs.values()):
            with suppress(RefusedHere):  # it is not shared any more
                said = await self._ask_tab(tab, "", "Network.getCookies", {})
                for cookie in said.get("cookies", ()):
                    key = [cookie.get(it) for it in ("name", "domain", "path", "partitionKey")]
                    found[str(key)] = cookie
        return {"cookies": list(found.values())}

    async def _set_cookies(self, _: str, params: Params) -> Params:
        return await self._in_any_tab("Storage.setCookies", {"cookies": params["cookies"]})

    _browser: ClassVar[dict[str, Any]] = {
        "Browser.getVersion": _get_version,
        "Storage.getCookies": _get_cookies,
        "Storage.setCookies": _set_cookies,
        "Target.activateTarget": _activate,
        "Target.attachToBrowserTarget": _new_browser_session,
        "Target.attachToTarget": _attach_to,
        "Target.closeTarget": _close_target,
        "Target.createTarget": _create,
        "Target.detachFromTarget": _detach_from,
        "Target.getTargetInfo": _target_info,
        "Target.getTargets": _targets,
        "Target.sendMessageToTarget": _send_message,
        "Target.setAutoAttach": _auto_attach,
        "Target.setDiscoverTargets": _discover,
    }

    # What a tab is asked.

    async def _in_session(
        self, name: str, session: SharedSession, method: str, params: Params
    ) -> Params:
        domain, _, verb = method.partition(".")
        is_main = name == session.tab.main
        if domain == "Fetch":
            if not self._may_fetch(name, verb):
                raise RefusedHere(f"{NOT_HERE}: {method}")
        elif method == "Target.getTargetInfo":
            info = session.tab.children.get(session.child, session.tab.info)
            return {"targetInfo": info}
        elif not is_main and (verb == "disable" or method == "Target.setAutoAttach"):
            session.domains.discard(domain)
            return {}
        if verb == "enable":
            session.domains.add(domain)
            if not is_main and domain == "Network":
                return {}
        return await self._ask_tab(session.tab, session.child, method, params)

    def _may_fetch(self, name: str, verb: str) -> bool:
        session = self._sessions[name]
        if verb == "enable" and not session.tab.fetching:
            session.tab.fetching = name
        return session.tab.fetching == name or session.child != ""

    async def _ask_tab(self, tab: SharedTab, child: str, method: str, params: Params) -> Params:
        return await self._ask("send", tab=tab.id, child=child, method=method, params=params)

    async def _ask(self, op: str, **fields: Any) -> Params:
        if self._has_left:
            raise RefusedHere(LEFT)
        id = next(self._ids)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        await self._tell({"id": id, "op": op, **fields})
        said = await answer
        if "error" in said:
            raise RefusedHere(str(said["error"]))
        return dict(said.get("result") or {})

    # What the extension says.

    def hear(self, said: Params) -> None:
        """Take an answer or an event of the extension."""
        if "id" in said:
            if answer := self._answers.pop(said["id"], None):
                answer.set_result(said)
        elif said["event"] == "attached":
            self._added(SharedTab(said["tab"], said["info"]))
        elif said["event"] == "detached":
            self._removed(said["tab"])
        elif tab := self._tabs.get(said["tab"]):
            self._told(tab, said.get("child", ""), said["method"], said["params"])

    def _added(self, tab: SharedTab) -> None:
        self._tabs[tab.id] = tab
        self._share(tab.info["targetId"])
        for session in self._discovering:
            self._event(session, "Target.targetCreated", {"targetInfo": tab.info})
        if self._attaching:
            self._attach_main(tab)

    def _removed(self, id: int) -> None:
        tab = self._tabs.pop(id, None)
        if tab is None:
            return
        for name in [it for it, session in self._sessions.items() if session.tab is tab]:
            self._drop(name)
        for session in self._discovering:
            self._event(session, "Target.targetDestroyed", {"targetId": tab.info["targetId"]})

    def _told(self, tab: SharedTab, child: str, method: str, params: Params) -> None:
        if method == "Target.attachedToTarget":
            tab.children[params["sessionId"]] = params["targetInfo"]
        elif method == "Target.detachedFromTarget":
            tab.children.pop(params["sessionId"], None)
        domain = method.partition(".")[0]
        if child:
            self._event(child, method, params)
        for name, session in list(self._sessions.items()):
            if session.tab is not tab or session.child != child:
                continue
            is_main = name == tab.main
            if domain == "Fetch":
                wanted = tab.fetching == name or bool(child)
            else:
                wanted = is_main or (domain in session.domains and domain != "Target")
            if wanted:
                self._event(name, method, params)

    def _attach_main(self, tab: SharedTab) -> None:
        if not tab.main:
            tab.main = self._add(tab, "", "", flat=True, info=tab.info)

    def _add(self, tab: SharedTab, child: str, parent: str, *, flat: bool, info: Params) -> str:
        name = f"tab-{next(self._names)}"
        self._sessions[name] = SharedSession(tab, child, parent, flat)
        told = {"sessionId": name, "targetInfo": info, "waitingForDebugger": False}
        self._event(parent, "Target.attachedToTarget", told)
        return name

    def _drop(self, name: str) -> None:
        if session := self._sessions.pop(name, None):
            info = session.tab.children.get(session.child, session.tab.info)
            told = {"sessionId": name, "targetId": info["targetId"]}
            self._event(session.parent, "Target.detachedFromTarget", told)

    def _find(self, params: Params) -> tuple[SharedTab, str]:
        for tab in self._tabs.values():
            if tab.info["targetId"] == params["targetId"]:
                return tab, ""
            for child, info in tab.children.items():
                if info["targetId"] == params["targetId"]:
                    return tab, child
        raise RefusedHere("No target with given id found")

    def _context(self) -> str:
        return next((it.info.get("browserContextId", "") for it in self._tabs.values()), "")

    def _event(self, session: str, method: str, params: Params) -> None:
        self._out.put_nowait(messages.event(method, params, session))
