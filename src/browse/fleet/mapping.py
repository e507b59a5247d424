"""A run over a list of pages: sends them to workers, a few ahead, and writes what comes back.

Dask places them. What is sent again, and what is never sent twice, is decided here: reading may be
repeated elsewhere, and what changes something runs at most once.
"""

import asyncio
import os
from collections.abc import Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any

import msgspec
from distributed import KilledWorker
from distributed.comm import CommClosedError

from browse.core.clock import elapsed
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.fleet import robots
from browse.fleet.extra import fault
from browse.fleet.job import Job
from browse.fleet.pacing import HostQueue, host_of
from browse.fleet.progress import RunProgress
from browse.fleet.results import Results
from browse.fleet.visit import Page, PageOutcome, PageState, lost
from browse.fleet.worker import do_pages

# So many pages wait here, by host; the rest stays in the list, which is read in pieces, so that the
# first pages are sent at once.
LOOK_AHEAD = 200_000
PIECE = 2_000
LOOK_S = 1.0
# A task takes ten milliseconds in all, here, at the head and at the worker: several short pages
# share one, and pages of a fleet that would end more than so many tasks a second.
TASK_S = 2.0
MAX_TASKS = 200
MAX_TASK_PAGES = 20
# What another try may mend.
PASSING = frozenset(
    {
        "browser-gone", "browser-start", "daemon-stopping", "fleet", "navigation-failed",
        "navigation-timeout", "tab-busy", "tab-closed", "tab-crashed", "tab-unknown",
        "timeout", "unreachable", "worker-lost",
    }
)  # fmt: skip


class RunTerms(msgspec.Struct, frozen=True):
    """How a run treats pages and hosts."""

    retries: int = 2
    interval_s: float = 0.0
    robots: bool = False
    workers: tuple[str, ...] = ()


class PageRun:
    """One run: pages wait, are under way, and end with a line of the results."""

    def __init__(
        self, client: Any, job: Job, terms: RunTerms, results: Results, progress: RunProgress
    ) -> None:
        self._client = client
        self._job = job
        self._terms = terms
        self._results = results
        self._progress = progress
        self._queue = HostQueue(terms.interval_s)
        self._rules: dict[str, robots.Rules] = {}
        self._tries: dict[int, int] = {}
        self._id = os.urandom(6).hex()
        self._sent = 0
        self._under_way: set[asyncio.Task[None]] = set()
        self._slots = 0
        self._page_s = 0.0
        self._reads_on = True
        self._news = asyncio.Event()
        self._wrong: BaseException | None = None
        self.is_stopping = False

    def stop(self) -> None:
        """Send nothing more; the second time, do not wait for what is under way either."""
        if self.is_stopping:
            for task in self._under_way:
                task.cancel()
        self.is_stopping = True
        self._news.set()

    async def go(self, pages: Iterator[Page]) -> None:
        """Do all pages of the list that have no line yet."""
        looking = spawn(self._look(), name="look at the fleet")
        try:
            while await self._step(pages):
                pass
            if self._wrong:
                raise self._wrong
        finally:
            looking.cancel()
            for task in self._under_way:
                task.cancel()
            if self._under_way:
                await asyncio.wait(self._under_way)

    async def _step(self, pages: Iterator[Page]) -> bool:
        """Send what can be sent, else wait; return whether the run goes on."""
        if self._wrong:
            return False
        self._news.clear()
        if not self.is_stopping:
            self._read(pages)
            while len(self._under_way) < self._room and (some := self._some()):
                self._start(self._do(some))
        if not self._under_way and (self.is_stopping or not (self._queue or self._reads_on)):
            return False
        if self._reads_on and not self.is_stopping:
            await asyncio.sleep(0)
            return True
        wait_s = self._queue.wait_s(elapsed()) if len(self._under_way) < self._room else None
        try:
            async with asyncio.timeout(wait_s):
                await self._news.wait()
        except TimeoutError:  # a host may be asked again
            pass
        return True

    @property
    def _room(self) -> int:
        """How many tasks may be under way: one ahead for each tab where nothing depends on when."""
        return self._slots * 2 if self._is_free else self._slots

    @property
    def _is_free(self) -> bool:
        """Whether pages may wait at a worker: they may run twice, and no host is to be spared."""
        return self._job.repeatable and not self._queue.is_paced

    @property
    def _task_s(self) -> float:
        """How long a task goes on to its next page."""
        return max(TASK_S, self._slots / MAX_TASKS)

    def _read(self, pages: Iterator[Page]) -> None:
        """Read the next piece of the list."""
        room = max(0, LOOK_AHEAD - len(self._queue))  # those that are tried again may be beyond it
        piece = list(islice(pages, min(PIECE, room)))
        self._reads_on = len(piece) == PIECE
        for page in piece:
            if self._results.has(page):
                continue
            host = host_of(page.url)
            if host.startswith("://"):
                self._end(_no_address(page))
                continue
            if self._terms.robots and self._queue.hold(host):
                self._start(self._learn(host))
            self._queue.add(page, elapsed())

    def _some(self) -> list[Page]:
        """Take the pages of the next task: as many as are done in a moment, one if it matters."""
        size = 1
        if self._is_free and self._page_s:
            fair = len(self._queue) // (self._slots * 4)
            size = max(1, min(MAX_TASK_PAGES, int(self._task_s / self._page_s), fair))
        taken: list[Page] = []
        room = self._slots * size
        while len(taken) < size and (page := self._queue.next(elapsed(), room)):
            rules = self._rules.get(host_of(page.url))
            if rules and not rules.allow(page.url):
                self._queue.done(page.url, elapsed())
                self._end(robots.refused(page))
                continue
            taken.append(page)
            if page.n in self._tries:
                break  # it failed before: nothing else shall fail with it
        return taken

    def _start(self, work: Any) -> None:
        task = spawn(work, name="pages under way")
        self._under_way.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._wrong = self._wrong or error
        self._news.set()

    async def _do(self, pages: list[Page]) -> None:
        """Send pages, and write or send again what becomes of them."""
        if not self._job.repeatable:
            self._results.send(pages)
        self._progress.under_way += len(pages)
        try:
            outcomes = await self._ask(self._job, pages)
            for page, outcome in zip(pages, outcomes, strict=False):
                self._judge(page, outcome)
            for page in pages[len(outcomes) :]:  # those before took longer than was thought
                self._queue.add(page, elapsed())
        finally:
            self._progress.under_way -= len(pages)
            for page in pages:
                self._queue.done(page.url, elapsed())

    async def _ask(self, job: Job, pages: list[Page]) -> list[PageOutcome]:
        self._sent += 1
        key = f"pages-{self._id}-{self._sent}"
        workers = list(self._terms.workers) or None
        future = self._client.submit(
            do_pages, job, pages, key, self._task_s, key=key, workers=workers, pure=False, retries=0
        )
        try:
            outcomes: list[PageOutcome] = await future
            return outcomes
        except KilledWorker:
            return [await self._lost(job, page, key) for page in pages]
        except (CancelledError, CommClosedError) as exc:
            raise _head_lost() from exc
        except BrowseError:
            raise
        except Exception as exc:  # whatever it was, it came from the worker, about these pages
            return [_broken(page, exc) for page in pages]

    async def _lost(self, job: Job, page: Page, key: str) -> PageOutcome:
        """Tell what became of a page whose worker is gone."""
        # Who claims it first may run it: if that is us now, it had not begun and never will.
        if job.repeatable or await self._client.scheduler.browse_claim(key=f"{key}:{page.n}"):
            error = "Its worker was lost before it was done."
            return PageOutcome(page.n, page.url, PageState.FAILED, code="worker-lost", error=error)
        return lost(page)

    def _judge(self, page: Page, outcome: PageOutcome) -> None:
        tries = self._tries.pop(page.n, 0) + 1
        outcome.attempts = tries
        if outcome.ms:
            self._page_s += (outcome.ms / 1000 - self._page_s) * (0.1 if self._page_s else 1)
        mends = outcome.state is PageState.FAILED and outcome.code in PASSING
        has_run = outcome.code != "worker-lost"
        if mends and tries <= self._terms.retries and (self._job.repeatable or not has_run):
            self._tries[page.n] = tries
            self._progress.retried += 1
            self._queue.add(page, elapsed())
            return
        self._end(outcome)

    def _end(self, outcome: PageOutcome) -> None:
        self._results.write(outcome)
        self._progress.add(outcome)

    async def _learn(self, host: str) -> None:
        """Get the rules of a host, before its first page."""
        for _ in range(self._terms.retries + 1):
            (outcome,) = await self._ask(robots.job(self._job), [robots.page_of(host)])
            if outcome.code not in PASSING:
                break
        rules = self._rules[host] = robots.Rules(outcome)
        self._queue.release(host, rules.delay_s, elapsed())

    async def _look(self) -> None:
        """Look how many tabs there are, and tell how far the run is."""
        while True:
            try:
                rows = await self._client.scheduler.browse_workers()
            except OSError:
                self._wrong = self._wrong or _head_lost()
                self._news.set()
                return
            ours = self._terms.workers
            self._slots = sum(it["tabs"] for it in rows if not ours or it["name"] in ours)
            self._news.set()
            self._progress.tick(elapsed(), slots=self._slots)
            await asyncio.sleep(LOOK_S)


def _head_lost() -> BrowseError:
    return fault(
        "The head of the fleet has ended. What was done is kept.",
        "start it again (browse fleet up), then the same command with --resume",
    )


def _no_address(page: Page) -> PageOutcome:
    error = "This is not the address of a page."
    return PageOutcome(page.n, page.url, PageState.FAILED, code="usage", error=error, attempts=0)


def _broken(page: Page, exc: Exception) -> PageOutcome:
    error = f"The worker failed: {type(exc).__name__}."
    return PageOutcome(page.n, page.url, PageState.FAILED, code="internal", error=error)
