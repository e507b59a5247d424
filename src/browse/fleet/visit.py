"""What a worker does with pages: the one function that Dask runs, and what it says of each page."""

import time
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import msgspec

from browse.fleet.job import Job
from browse.fleet.machine import Machine, in_session
from browse.sdk.browse_client import BrowseError

# The daemon was lost, or said nothing in time: what it did until then is not known.
SILENT = frozenset({"timeout", "unreachable"})
UNKNOWN = "unknown"
LOST = "It was begun, and the worker was lost or said nothing: it may be done or not."


class PageState(StrEnum):
    """How a page ended."""

    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Page(msgspec.Struct, frozen=True):
    """A line of the list: its number, which is the stable order, and its address."""

    n: int
    url: str


class PageOutcome(msgspec.Struct, omit_defaults=True):
    """What is written of a page; what the page wrote is below a key `page`, at any depth."""

    n: int
    url: str
    state: PageState
    worker: str = ""
    ms: int = 0
    attempts: int = 1
    status: int | None = None
    result: Any = None
    steps: list[Any] | None = None
    code: str = ""
    error: str = ""
    hint: str = ""
    page: dict[str, str] | None = None


def visit(machine: Machine, job: Job, page: Page, may_run: Callable[[Page], bool]) -> PageOutcome:
    """Do a job with one page; never raises for what a page, a host or the daemon does."""
    began = time.monotonic()
    if not job.repeatable and not may_run(page):
        return lost(page)
    try:
        outcome = _done(page, job, _ask(machine, job, page))
    except BrowseError as exc:
        outcome = _failed(page, job, exc)
    outcome.ms = round((time.monotonic() - began) * 1000)
    return outcome


def lost(page: Page) -> PageOutcome:
    """Say that nobody knows whether something was done."""
    return PageOutcome(page.n, page.url, PageState.UNKNOWN, code=UNKNOWN, error=LOST)


def _ask(machine: Machine, job: Job, page: Page) -> list[dict[str, Any]]:
    with machine.tab(job.session, job.timeout_s) as browse:
        steps = job.script(page.url, machine.keep(job.scripts))
        script = msgspec.json.encode(steps).decode()
        return list(browse.json("chain", script, *in_session(job.session))["steps"])


def _done(page: Page, job: Job, steps: list[dict[str, Any]]) -> PageOutcome:
    outcome = PageOutcome(page.n, page.url, PageState.DONE)
    if job.goes:
        outcome.status = steps.pop(0)["result"].get("status")
    if len(steps) == 1:
        outcome.result = steps[0]["result"]
    else:
        outcome.steps = [{"command": it["command"], "result": it["result"]} for it in steps]
    return outcome


def _failed(page: Page, job: Job, exc: BrowseError) -> PageOutcome:
    if not job.repeatable and not exc.status and exc.code in SILENT:
        return lost(page)
    outcome = PageOutcome(page.n, page.url, PageState.FAILED, code=exc.code or "internal")
    outcome.error, outcome.hint = exc.message, exc.hint
    outcome.page = {"detail": exc.page} if exc.page else None
    return outcome
