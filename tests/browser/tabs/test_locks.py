"""Who may act now."""

import asyncio
import math

import pytest

from browse.browser.tabs.locks import BrowserLock, TabLock
from browse.core.tasks import spawn

Log = list[str]


class Visit:
    """A task that takes a lock and keeps it until it is let go."""

    def __init__(self, lock, name: str, log: Log) -> None:
        self.go = asyncio.Event()
        self._lock, self._name, self._log = lock, name, log
        self.task = spawn(self._run(), name=name)

    async def _run(self) -> None:
        async with self._lock:
            self._log.append(self._name)
            await self.go.wait()

    async def end(self) -> None:
        self.go.set()
        async with asyncio.timeout(20):
            await self.task


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_a_tab_is_held_by_one_at_a_time_first_come_first_served():
    lock, log = TabLock(), Log()
    visits = [Visit(lock.hold(name), name, log) for name in "abc"]
    seen = []
    for visit in visits:
        await settle()
        seen.append("".join(log))
        await visit.end()

    assert seen == ["a", "ab", "abc"]


async def test_the_holder_is_named_while_it_holds():
    lock = TabLock()

    before = lock.holder()
    async with lock.hold("wait"):
        during = lock.holder()

    assert (before, during, lock.holder()) == ("", "`wait` for 0 s", "")


async def test_a_holder_that_fails_lets_go():
    lock = TabLock()

    with pytest.raises(ValueError, match="oops"):
        async with lock.hold("js"):
            raise ValueError("oops")

    assert lock.holder() == ""
    async with asyncio.timeout(20), lock.hold("text"):
        assert lock.holder()


async def test_one_who_stops_waiting_is_passed_over():
    lock, log = TabLock(), Log()
    first, second, third = (Visit(lock.hold(name), name, log) for name in "abc")
    await settle()

    second.task.cancel()
    await first.end()
    await settle()

    assert log == ["a", "c"]
    await third.end()


async def test_many_share_the_browser():
    lock, log = BrowserLock(), Log()
    visits = [Visit(lock.shared(), name, log) for name in "abc"]
    await settle()

    assert log == ["a", "b", "c"]
    for visit in visits:
        await visit.end()


async def test_one_alone_waits_for_those_inside_and_goes_before_those_after():
    lock, log = BrowserLock(), Log()
    early = Visit(lock.shared(), "early", log)
    await settle()
    alone = Visit(lock.alone(), "alone", log)
    await settle()
    late = Visit(lock.shared(), "late", log)
    await settle()
    seen = [list(log)]
    for visit in (early, alone):
        await visit.end()
        await settle()
        seen.append(list(log))

    assert seen == [["early"], ["early", "alone"], ["early", "alone", "late"]]
    await late.end()


async def test_one_alone_who_gives_up_lets_the_others_in():
    lock, log = BrowserLock(), Log()
    early = Visit(lock.shared(), "early", log)
    await settle()
    alone = Visit(lock.alone(), "alone", log)
    late = Visit(lock.shared(), "late", log)
    await settle()

    alone.task.cancel()
    await settle()

    assert log == ["early", "late"]
    await early.end()
    await late.end()


async def test_a_lock_that_somebody_has_is_known():
    lock = BrowserLock()
    assert lock.idle_s() == math.inf

    async with lock.shared():
        assert lock.is_held
    async with lock.alone():
        assert lock.is_held
    assert not lock.is_held
