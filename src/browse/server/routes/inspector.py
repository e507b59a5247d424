"""The inspector over HTTP: pick an element, change its styles, undo: `inspect` and `style`."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import msgspec
from starlette.requests import Request

from browse.auth.caller import Caller
from browse.auth.rates import too_many
from browse.browser.elements.at_point import PointedElement, element_at
from browse.browser.tabs.tab import Tab
from browse.core.clock import wall_ms
from browse.core.errors import Usage
from browse.dispatch.activity import Activity, Event
from browse.dispatch.call import Call
from browse.dispatch.runner import KeptOutput
from browse.inbox.taking import for_person
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.attend import attend
from browse.server.routes.refs import asked_tab, find_tab
from browse.server.services import Services
from browse.server.sources import Sources
from browse.server.stream import Events

MAX_WATCHERS = 20
# What was picked longer ago than this may look different by now.
FRESH_MS = 60_000


class PickBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """What to inspect: a point of the window, or a ref or selector.

    gstack says `selector`, and `activeTabUrl` for the current tab, which we know by ourselves.
    """

    tab_id: int | None = None
    document: float | None = None
    at: tuple[float, float] | None = None
    target: str = ""
    selector: str = ""
    active_tab_url: str = ""


class ApplyBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A style property of an element, and its new value."""

    property: str
    value: str
    target: str = ""
    selector: str = ""
    tab_id: int | None = None
    document: float | None = None


class ResetBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """How many changes to undo; without a number, all."""

    tab_id: int | None = None
    document: float | None = None
    count: int | None = None


class Inspector:
    """Runs the commands behind the endpoints, and tells watchers of each change."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._feed = Activity()
        self._last: dict[str, Any] | None = None
        self._timestamp = 0

    async def pick(self, request: Request, caller: Caller) -> reply.Reply:
        """Inspect an element: `{at: [x, y]}` or `{target}`, and `{tabId?}` or `{document?}`.

        `at` is in CSS pixels from the window's corner; `selector` means `target`. Returns `{tab,
        ref, page}`, where `page` has the selector, tag, attributes, box, rules (the strongest
        first), computed values and pseudo-elements, as `browse inspect --json` does.
        """
        wanted = body.decode(await body.read(request, body.SMALL), PickBody)
        named = wanted.target or wanted.selector
        if bool(wanted.at) == bool(named):
            raise Usage("a pick has either at or target", hint="for instance at: [100, 200]")
        tab = await self._tab(wanted)
        found = await _pointed(tab, wanted.at) if wanted.at else None
        target = found.ref if found else named
        data = await self._run(request, caller, tab, "inspect", "--", target)
        if data is None:
            return reply.nobody()
        selector = found.selector if found else target
        self._last = {"tab": tab.id, "ref": target, "page": {"selector": selector, **data["page"]}}
        self._timestamp = _now_ms()
        self._feed.publish("pick", caller.name, tab=tab.id, ref=target[:60])
        return reply.rendered(self._last)

    async def last(self, _: Request, __: Caller) -> reply.Reply:
        """Return what was picked last: `{data, timestamp, stale}`; before that, `{data: null}`.

        `data` is what `POST /inspector/pick` returned, `timestamp` is in milliseconds, and `stale`
        means that it is older than a minute.
        """
        if self._last is None:
            return reply.rendered({"data": None})
        stale = _now_ms() - self._timestamp > FRESH_MS
        return reply.rendered({"data": self._last, "timestamp": self._timestamp, "stale": stale})

    async def apply(self, request: Request, caller: Caller) -> reply.Reply:
        """Change a style: `{target, property, value, tabId?}`, as `browse style` does.

        `selector` means `target`.
        """
        wanted = body.decode(await body.read(request, body.SMALL), ApplyBody)
        target = wanted.target or wanted.selector
        if not target:
            raise Usage("a change of style has a target", hint='for instance target: "@e3"')
        tab, words = await self._tab(wanted), (target, wanted.property, wanted.value)
        done = await self._run(request, caller, tab, "style", "--", *words)
        self._feed.publish("apply", caller.name, tab=tab.id, property=wanted.property[:60])
        return reply.rendered(done) if done else reply.nobody()

    async def reset(self, request: Request, caller: Caller) -> reply.Reply:
        """Undo changes of a tab's styles: `{count?, tabId?}`; without a count, all of them.

        Returns `ok` and what was undone, as `browse style --undo` does.
        """
        wanted = body.decode(await body.read(request, body.SMALL) or b"{}", ResetBody)
        tab = await self._tab(wanted)
        count = len(tab.restyled) if wanted.count is None else wanted.count
        done: Any = {"reverted": []}
        if count:
            done = await self._run(request, caller, tab, "style", "--undo", str(count))
        self._feed.publish("reset", caller.name, tab=tab.id)
        return reply.rendered({"ok": True, **done}) if done else reply.nobody()

    async def history(self, request: Request, caller: Caller) -> reply.Reply:
        """List the style changes of a tab that can be undone: `?tab=<id>`, else the current one."""
        tab = await asked_tab(self._services.running.runner.parts.browser, request)
        done = await self._run(request, caller, tab, "inspect", "--history")
        return reply.rendered(done) if done else reply.nobody()

    async def events(self, _: Request, __: Caller) -> Events:
        """Watch picks and changes: server-sent events `inspector` of type pick, apply or reset.

        The first event is `state`, `{data: {tab, ref}, timestamp}`: what was picked last, or null.
        """
        if self._feed.watchers >= MAX_WATCHERS:
            raise too_many(f"Max {MAX_WATCHERS} watchers at a time.", 10)
        return Events(self._follow(self._feed.total), name="inspector")

    async def _follow(self, after: int) -> AsyncGenerator[Event, None]:
        # A cookie opens the stream, so it has no words of pages.
        last = self._last and {"tab": self._last["tab"], "ref": self._last["ref"][:60]}
        yield {"type": "state", "data": last, "timestamp": self._timestamp}
        async with aclosing(self._feed.follow(after)) as news:
            async for event in news:
                yield event

    async def _tab(self, wanted: PickBody | ApplyBody | ResetBody) -> Tab:
        browser = self._services.running.runner.parts.browser
        return await find_tab(browser, wanted.tab_id, wanted.document)

    async def _run(self, request: Request, caller: Caller, tab: Tab, *words: str) -> Any:
        """Run a command on a tab; return its data, None if the caller has gone, or raise."""
        kept, running = KeptOutput(), self._services.running
        running.admit()
        said = (words[0], "--json", *words[1:])
        task = running.start(Call(said, caller, self._services.project, tab.id), kept)
        if not await attend(task, request.receive):
            return None
        if error := task.result():
            raise error
        return kept.output[-1].data


def _now_ms() -> int:
    return round(wall_ms())


async def _pointed(tab: Tab, at: tuple[float, float]) -> PointedElement:
    async with for_person(tab):
        return await element_at(tab, *at)


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the inspector."""
    it, owner, extension = Inspector(services), EndpointAccess.OWNER, Sources.EXTENSION
    return [
        Endpoint("POST", "/inspector/pick", owner, it.pick, extension),
        Endpoint("POST", "/inspector/apply", owner, it.apply, extension),
        Endpoint("POST", "/inspector/reset", owner, it.reset, extension),
        Endpoint("GET", "/inspector", owner, it.last, extension),
        Endpoint("GET", "/inspector/history", owner, it.history, extension),
        Endpoint("GET", "/inspector/events", EndpointAccess.VIEWER, it.events, extension),
    ]
