"""`fleet map` and `fleet run`: work that is sent to workers."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browse import _exit
from browse.commands._modules import MODULES
from browse.core.clock import elapsed
from browse.core.errors import Usage
from browse.core.text import counted
from browse.fleet import extra
from browse.fleet.extra import fault
from browse.guard.files import Roots
from browse.registry.params import SESSION, Surroundings
from browse.registry.results import Text
from browse.registry.table_on_use import TableOnUse

if TYPE_CHECKING:
    from browse.fleet import mapping
    from browse.fleet.progress import RunProgress


async def map_pages(
    source: str,
    do: str,
    out: str,
    *,
    resume: bool,
    column: str,
    per_host: str,
    retries: int,
    robots: bool,
    on: str,
    timeout_s: int,
) -> Text:
    """Do something with each page of a list."""
    extra.require()
    from browse.fleet import connect, job, mapping, pacing, parquet, results, urls
    from browse.fleet.progress import RunProgress

    if resume and not out:
        raise Usage("--resume goes on with a file", hint="name it: --out results.jsonl")
    worker, session = where(on) if on else ("", "")
    wanted = job.parse(do, session=session, timeout_s=timeout_s)
    interval = pacing.interval(per_host) if per_host else 0.0
    terms = mapping.RunTerms(retries, interval, robots, (worker,) if worker else ())
    path = Path(out)
    table = path if path.suffix == parquet.SUFFIX else None
    lines = parquet.lines_of(table) if table else path
    pages = urls.UrlList(source, column)
    async with connect.client() as client:
        if worker:
            await _known(client, worker)
        file = results.ResultFile(lines, wanted, resume=resume) if out else results.Results()
        progress = RunProgress(pages.total, file.before, elapsed())
        run = mapping.PageRun(client, wanted, terms, file, progress)
        _stop_on_signals(run)
        try:
            await run.go(pages.pages())
        finally:
            file.close()
            if not out:
                print(progress.summary(elapsed()), file=sys.stderr)
    if table:
        await asyncio.to_thread(parquet.write, lines, table)
    return _told(run, progress, out, pages.twice)


def _told(run: "mapping.PageRun", progress: "RunProgress", out: str, twice: int) -> Text:
    """Say how the run ended; its exit code tells whether every page is done."""
    facts = progress.facts(elapsed())
    lines = [progress.summary(elapsed())]
    if twice:
        lines.append(f"  {counted(twice, 'line')} of the list named a page again, and was left out")
    if run.is_stopping:
        left = facts["total"] - progress.ended
        lines.append(f"  interrupted: {left:,} not done; the same command with --resume does them")
    said = Text("\n".join(lines) if out else "", {"ok": facts["done"] == facts["total"], **facts})
    if run.is_stopping:
        print(said.text, file=sys.stderr)
        raise SystemExit(_exit.INTERRUPTED)
    if not out:  # stdout has the lines of the pages, and nothing else
        raise SystemExit(_exit.OK if said.data["ok"] else _exit.FAILED)
    return said


async def run_words(on: str, words: Sequence[str]) -> Text:
    """Run a command line on a worker, and end as it ended."""
    extra.require()
    from browse.fleet import connect, worker

    if not words:
        raise Usage("run: a command is missing", hint="browse fleet run m3 status")
    name, session = where(on)
    async with connect.client() as client:
        address = await _known(client, name)
        stdin = sys.stdin.buffer.read() if _takes_stdin(words) else b""
        answers = await client.run(
            worker.run_words, list(words), session, stdin, workers=[address], on_error="return"
        )
    ran = answers.get(address)
    if not isinstance(ran, worker.Ran):
        raise fault(
            f"The worker {name} was lost while the command ran: it may be done or not.",
            "browse fleet status",
        )
    sys.stdout.buffer.write(ran.out)
    sys.stdout.buffer.flush()
    sys.stderr.buffer.write(ran.err)
    sys.stderr.buffer.flush()
    raise SystemExit(ran.code)


def where(on: str) -> tuple[str, str]:
    """Split `m3/shop` into a worker and a session."""
    worker, _, session = on.partition("/")
    if not worker:
        raise Usage(f"{on[:60]!r} names no worker", hint="give m3, or m3/shop for a session")
    return worker, SESSION.parse(session, Surroundings("/", Roots(()))) if session else ""


async def _known(client: Any, name: str) -> str:
    """Return the address of a worker; raise if there is none of that name."""
    rows = await client.scheduler.browse_workers()
    for row in rows:
        if row["name"] == name:
            return str(row["address"])
    known = ", ".join(sorted(row["name"] for row in rows)) or "none"
    raise fault(f"The fleet has no worker {name!r}.", f"there are: {known}")


def _takes_stdin(words: Sequence[str]) -> bool:
    return not os.isatty(0) and TableOnUse(MODULES).split(words)[0].reads_stdin


def _stop_on_signals(run: "mapping.PageRun") -> None:
    """Let the first Ctrl-C end it in order, and the second at once."""

    def stop() -> None:
        again = "" if run.is_stopping else " Ctrl-C again leaves them."
        print(f"\nWaiting for the pages under way.{again}", file=sys.stderr)
        run.stop()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
