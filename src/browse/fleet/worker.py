"""A worker: Dask's, with a browser beside it. It runs pages in tabs, and commands as the client."""

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import dask
import msgspec
from distributed import Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import parse_host_port
from distributed.utils import get_ip, sync

from browse import _where
from browse.core.clock import elapsed
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.fleet import keys
from browse.fleet.connect import CONFIG, greet, on_end, unreachable
from browse.fleet.job import Job
from browse.fleet.machine import Machine, environment
from browse.fleet.visit import Page, PageOutcome, visit

log = logging.getLogger(__name__)
LOOPBACK = "127.0.0.1"
AGAIN_S = 3.0
MAX_OUTPUT_BYTES = 64 * 1024 * 1024


class WorkerOptions(msgspec.Struct, frozen=True):
    """Which fleet it joins, as whom, with how many tabs. `stays`: it waits for a head that ends."""

    address: str
    name: str
    tabs: int
    folder: str
    keys: str
    listen: str = ""
    stays: bool = False


class Ran(msgspec.Struct, frozen=True):
    """How a command line ended on a worker."""

    code: int
    out: bytes
    err: bytes


class Hand(WorkerPlugin):
    """The browser beside Dask's worker, where tasks find it."""

    name = "browse"

    def __init__(self, options: WorkerOptions, machine: Machine, leaving: asyncio.Event) -> None:
        self.machine = machine
        self.called = options.name
        self._leaving = leaving

    def setup(self, worker: Worker) -> None:
        self._worker = worker
        worker.handlers["browse_leave"] = self.leave

    async def leave(self) -> None:
        """Note that the fleet goes down."""
        self._leaving.set()

    async def see_off(self) -> None:
        """End Dask's worker when this one leaves; pages that are under way go elsewhere."""
        await self._leaving.wait()
        await self._worker.close(nanny=False, executor_wait=False)

    def claim(self, key: str) -> bool:
        """Ask the head whether this may run now; called in a thread of a task."""
        return bool(sync(self._worker.loop, self._worker.scheduler.browse_claim, key=key))


def do_pages(job: Job, pages: Sequence[Page], claim: str, limit_s: float) -> list[PageOutcome]:
    """Do a job with pages, one after the other: the task of `fleet map`.

    Begin none after the limit: behind a page that hangs, the others would wait in vain.
    """
    hand = _hand(get_worker())
    done: list[PageOutcome] = []
    end = elapsed() + limit_s
    for page in pages:
        if done and elapsed() >= end:
            break
        outcome = visit(hand.machine, job, page, lambda it: hand.claim(f"{claim}:{it.n}"))
        outcome.worker = hand.called
        done.append(outcome)
    return done


async def run_words(words: Sequence[str], session: str, stdin: bytes, dask_worker: Worker) -> Ran:
    """Run a command line on this machine: the call of `fleet run`. Its end is the command's end."""
    machine = _hand(dask_worker).machine
    command, environ = machine.command(words, session)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=machine.folder,
        env=environ,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        out, err = await process.communicate(stdin)
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        raise
    return Ran(process.returncode or 0, out[:MAX_OUTPUT_BYTES], err[:MAX_OUTPUT_BYTES])


def _hand(worker: Worker) -> Hand:
    hand = worker.plugins[Hand.name]
    assert isinstance(hand, Hand)  # noqa: S101  # as `_work` starts all workers
    return hand


async def serve(options: WorkerOptions, ready: Callable[..., None]) -> None:
    """Be a worker until the fleet goes down, or until it is told to end."""
    leaving = asyncio.Event()
    with dask.config.set(CONFIG):
        await greet(options.address, Path(options.keys), options.name)
        machine = Machine(Path(options.folder), environment())
        await asyncio.to_thread(machine.start)
        on_end(leaving.set)
        await _work(options, machine, ready, leaving)
        told = ""
        while options.stays and not leaving.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(leaving.wait(), AGAIN_S)
                break
            try:
                await greet(options.address, Path(options.keys), options.name)
                await _work(options, machine, ready, leaving)
                told = ""
            except BrowseError as exc:  # the head is not back yet, or has changed meanwhile
                line = f"{exc.message} Waiting for it. ({exc.hint})"
                if line != told:
                    log.warning(line)
                told = line
    if leaving.is_set():  # else the head was lost: the daemon keeps what is in it
        await asyncio.to_thread(machine.stop)


async def _work(
    options: WorkerOptions, machine: Machine, ready: Callable[..., None], leaving: asyncio.Event
) -> None:
    """Work for one head, until it is lost or the worker leaves."""
    hand = Hand(options, machine, leaving)
    worker = Worker(
        options.address,
        plugins=(hand,),
        nthreads=options.tabs,
        name=options.name,
        host=options.listen or get_ip(*parse_host_port(options.address)),
        security=keys.security(Path(options.keys)),
        resources={"browser": options.tabs},
        local_directory=str(machine.folder / _where.STATE_DIR),
        memory_limit=0,
        dashboard_address=f"{LOOPBACK}:0",
        death_timeout=CONFIG["distributed.comm.timeouts.connect"],
    )
    try:
        await worker
    except (OSError, RuntimeError, ValueError, TimeoutError) as exc:
        raise unreachable(options.address, exc) from exc
    ready(name=options.name)
    end = spawn(hand.see_off(), name="end the worker")
    await worker.finished()
    end.cancel()
