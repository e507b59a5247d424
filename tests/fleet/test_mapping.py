"""A run over a list: what is sent together, what is sent again. Workers are functions here."""

import asyncio
from collections.abc import Callable, Iterator

import pytest
from distributed import KilledWorker
from msgspec.structs import replace

from browse.core.clock import elapsed
from browse.fleet import mapping
from browse.fleet.job import Job
from browse.fleet.mapping import PageRun, RunTerms
from browse.fleet.progress import RunProgress
from browse.fleet.results import Results
from browse.fleet.visit import Page, PageOutcome, PageState

READ = Job((("text",),), goes=True, repeatable=True)
Doing = Callable[[list[Page]], list[PageOutcome]]


class Kept(Results):
    """Results in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[PageOutcome] = []

    def write(self, outcome: PageOutcome) -> None:
        self.rows.append(outcome)


class FakeClient:
    """A head with workers that answer as a function says, once the loop has gone round."""

    def __init__(self, doing: Doing, *, tabs: int = 2) -> None:
        self.scheduler = self
        self.sent: list[list[Page]] = []
        self.under_way = 0
        self._doing = doing
        self._tabs = tabs

    async def browse_workers(self) -> list[dict]:
        return [{"name": "m1", "tabs": self._tabs}]

    async def browse_claim(self, key: str) -> bool:
        return True

    def submit(self, _function, _job, pages, _claim, _limit_s, **_: object):
        self.sent.append(pages)
        self.under_way += 1
        return asyncio.ensure_future(self._answer(pages))

    async def _answer(self, pages: list[Page]) -> list[PageOutcome]:
        await asyncio.sleep(0)
        try:
            return self._doing(pages)
        finally:
            self.under_way -= 1


def done(page: Page, ms: int = 100) -> PageOutcome:
    words = {"page": {"text": ""}}
    return PageOutcome(page.n, page.url, PageState.DONE, ms=ms, status=200, result=words)


def pages(number: int, hosts: int = 1) -> Iterator[Page]:
    return (Page(n, f"http://h{n % hosts}/{n}") for n in range(number))


async def ran(client: FakeClient, number: int, **terms) -> list[PageOutcome]:
    results, progress = Kept(), RunProgress(number, {}, elapsed())
    run = PageRun(client, READ, RunTerms(**terms), results, progress)
    await run.go(pages(number))
    return sorted(results.rows, key=lambda row: row.n)


async def test_short_pages_share_a_task_and_each_has_a_line():
    client = FakeClient(lambda some: [done(page) for page in some])

    rows = await ran(client, 200)

    assert [row.n for row in rows] == list(range(200))
    assert max(map(len, client.sent)) > 5


async def test_pages_that_a_task_had_no_time_for_are_sent_again():
    client = FakeClient(lambda some: [done(page) for page in some[:2]])

    rows = await ran(client, 100)

    assert [(row.n, row.attempts) for row in rows] == [(n, 1) for n in range(100)]


async def test_pages_that_are_tried_again_may_be_more_than_are_read_ahead(monkeypatch):
    monkeypatch.setattr(mapping, "LOOK_AHEAD", 4)
    fails = PageOutcome(0, "", PageState.FAILED, code="timeout", ms=1)
    client = FakeClient(lambda some: [replace(fails, n=it.n, url=it.url) for it in some], tabs=8)

    rows = await ran(client, 60, retries=3)

    assert [(row.n, row.attempts) for row in rows] == [(n, 4) for n in range(60)]


async def test_where_hosts_are_spared_a_task_is_a_page_and_none_waits_at_a_worker():
    most = 0

    def doing(some: list[Page]) -> list[PageOutcome]:
        nonlocal most
        most = max(most, client.under_way)
        return [done(page) for page in some]

    client = FakeClient(doing)
    await ran(client, 20, interval_s=1e-9)

    assert ({len(some) for some in client.sent}, most) == ({1}, 2)


async def test_the_first_pages_of_a_long_list_are_sent_before_the_rest_is_read(monkeypatch):
    monkeypatch.setattr(mapping, "PIECE", 10)
    read = 0
    read_when_sent = []

    def listed() -> Iterator[Page]:
        nonlocal read
        for page in pages(1_000):
            read += 1
            yield page

    def doing(some: list[Page]) -> list[PageOutcome]:
        read_when_sent.append(read)
        return [done(page) for page in some]

    results = Kept()
    run = PageRun(FakeClient(doing), READ, RunTerms(), results, RunProgress(1_000, {}, elapsed()))
    await run.go(listed())

    assert len(results.rows) == 1_000
    assert read_when_sent[0] < 100


@pytest.mark.parametrize(("losses", "state"), [(1, PageState.DONE), (9, PageState.FAILED)])
async def test_the_rules_of_a_host_are_asked_for_again_when_a_worker_is_lost(losses, state):
    lost = 0

    def doing(some: list[Page]) -> list[PageOutcome]:
        nonlocal lost
        if some[0].url.endswith("robots.txt") and (lost := lost + 1) <= losses:
            raise KilledWorker("pages", None, 0)  # type: ignore[arg-type]  # not looked at
        return [done(page) for page in some]

    rows = await ran(FakeClient(doing), 3, robots=True, retries=2)

    assert {row.state for row in rows} == {state}
