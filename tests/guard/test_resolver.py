"""Names: looked up once for all who ask, and kept for a while."""

import asyncio
import socket
from collections.abc import Iterable

from browse.browser.network.refusals import Refusals
from browse.browser.network.socks_proxy import SocksProxy
from browse.guard import resolver
from browse.guard.files import Roots
from browse.guard.resolver import KEPT_FAILED_S, KEPT_S, SystemResolver, system_resolver
from browse.guard.sites import Sites
from browse.registry.params import Surroundings


class FakeSystem:
    """Answers in turn; an empty answer is a name that leads nowhere."""

    def __init__(self, *answers: Iterable[str]) -> None:
        self.answers = [list(answer) for answer in answers]
        self.asked: list[str] = []
        self.now = 100.0

    def ask(self, host: str) -> list[str]:
        self.asked.append(host)
        answer = self.answers.pop(0)
        if not answer:
            raise socket.gaierror(-2, "unknown")
        return answer

    def resolver(self) -> SystemResolver:
        return SystemResolver(self.ask, lambda: self.now)


async def test_this_machine_is_known():
    assert "127.0.0.1" in await SystemResolver()("localhost")


async def test_what_is_no_name_leads_nowhere():
    resolve = SystemResolver()

    assert await resolve("x" * 64 + ".example") == []
    assert await resolve("") == []


async def test_all_who_ask_at_once_and_a_while_later_share_one_answer():
    system = FakeSystem(["192.0.2.1"], ["192.0.2.2"])
    resolve = system.resolver()

    assert await asyncio.gather(resolve("a.test"), resolve("a.test")) == [["192.0.2.1"]] * 2
    system.now += KEPT_S - 1
    assert await resolve("a.test") == ["192.0.2.1"]
    assert system.asked == ["a.test"]
    system.now += 1
    assert await resolve("a.test") == ["192.0.2.2"]


async def test_a_name_that_leads_nowhere_is_asked_for_again_soon():
    system = FakeSystem([], ["192.0.2.1"])
    resolve = system.resolver()

    assert await resolve("a.test") == []
    assert await resolve("a.test") == []
    assert system.asked == ["a.test"]
    system.now += KEPT_FAILED_S
    assert await resolve("a.test") == ["192.0.2.1"]


async def test_who_stops_waiting_does_not_end_the_search_of_others():
    system = FakeSystem(["192.0.2.1"])
    resolve = system.resolver()
    first = asyncio.ensure_future(resolve("a.test"))
    second = asyncio.ensure_future(resolve("a.test"))
    await asyncio.sleep(0)
    first.cancel()

    assert await second == ["192.0.2.1"]


async def test_only_so_many_names_are_kept(monkeypatch):
    monkeypatch.setattr(resolver, "MAX_KEPT", 2)
    system = FakeSystem(*[["192.0.2.1"]] * 4)
    resolve = system.resolver()

    for host in ("a.test", "b.test", "c.test", "a.test"):
        await resolve(host)

    assert system.asked == ["a.test", "b.test", "c.test", "a.test"]


def test_commands_and_connections_ask_the_same_resolver():
    assert Surroundings("/", Roots(())).resolve is system_resolver

    async def no_objection(*_: str) -> str:
        return ""

    proxy = SocksProxy(Sites(), Refusals(), objection=no_objection, on_refused=lambda *_: None)

    assert proxy.resolve is system_resolver
