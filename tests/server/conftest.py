"""The local listener, in process: the real application over fakes of the browser."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from browse.core.errors import BrowseError, Code
from browse.core.scopes import Surface
from browse.dispatch.running import Running, revoked
from browse.registry.params import WORD, Doc
from browse.registry.results import PageText, Text
from browse.registry.signature import Argument
from browse.registry.spec import ChangedTabs, Lane, Spec
from browse.server.app import local_app
from browse.server.services import Services
from support.fakes import FakeLife, FakeTab, a_daemon, a_runner, a_spec

PORT = 23_456
TOKEN = "token-of-these-tests"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@dataclass
class Listener:
    """The application, and what its commands did."""

    app: ASGIApp
    life: FakeLife
    services: Services
    log: list[str] = field(default_factory=list)
    entered: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))
    go: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    def client(self, **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(
            transport=transport, base_url=f"http://127.0.0.1:{PORT}", headers={**HEADERS, **headers}
        )

    async def post(self, path: str, content: Any = None, **headers: str) -> httpx.Response:
        """Send a body: bytes as they are, anything else as JSON."""
        async with self.client(**headers) as client:
            if isinstance(content, bytes):
                return await client.post(path, content=content)
            return await client.post(path, json=content)

    async def until_entered(self, count: int = 1) -> None:
        async with asyncio.timeout(20):
            for _ in range(count):
                await self.entered.acquire()


def specs(listener: Callable[[], Listener]) -> list[Spec]:
    """Commands that show what the listener does with them."""
    word = Argument("word", WORD, Doc(""), required=False, default="", repeats=False)

    async def say(ctx, word) -> Text:
        return Text(f"said {word}", {"said": word, "tab": ctx.tab.id})

    async def page(ctx) -> PageText:
        return PageText("page words", "https://example.com/", {"page": {"text": "half \ud800"}})

    async def slow(ctx, word) -> Text:
        listener().log.append(f"{word} in")
        listener().entered.release()
        try:
            await listener().go.wait()
        except asyncio.CancelledError:
            listener().cancelled.set()
            raise
        listener().log.append(f"{word} out")
        return Text(f"slow {word}")

    async def fail(ctx) -> Text:
        raise BrowseError(Code.NO_MATCH, "Nothing \ud800 matches.", hint="look", page="<b>")

    async def saved(ctx, word) -> Text:
        return Text("saved", {"path": word})

    async def steps(ctx) -> Text:
        await ctx.emit(Text("first"))
        await ctx.emit(Text("second"))
        return Text("third")

    return [
        a_spec(say, "say", args=(word,)),
        a_spec(page, "page"),
        a_spec(slow, "slow", args=(word,)),
        a_spec(say, "note", args=(word,), changes=ChangedTabs.ASIDE),
        a_spec(fail, "fail"),
        a_spec(saved, "screenshot", args=(word,), lane=Lane.FREE),
        a_spec(steps, "steps", lane=Lane.FREE, surfaces=Surface.LOCAL),
    ]


@pytest.fixture
def listener() -> Listener:
    life = FakeLife()
    tabs = (FakeTab(1), FakeTab(2))
    running = Running(a_runner(*specs(lambda: made), tabs=tabs, life=life))
    services = a_daemon(running, token=TOKEN)
    services.access.tokens.on_revoked(lambda client: running.cut_off(client, revoked()))
    made = Listener(local_app(services), life, services)
    return made
