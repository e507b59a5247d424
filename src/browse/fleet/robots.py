"""What a site asks of programs: its robots.txt (RFC 9309), fetched by a worker as any page is."""

import math
import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import unquote, urlsplit

import msgspec

from browse.fleet.job import Job
from browse.fleet.visit import Page, PageOutcome, PageState

AGENT, ANYBODY = "browse", "*"
MAX_CHARS = 500 * 1024
NOTHING = "User-agent: *\nDisallow: /"
STEPS = (("text", "--max-chars", "0"),)
_TOKEN = re.compile(r"[a-z_-]+|\*")


class AskedOf(msgspec.Struct):
    """What is asked of some programs: paths with whether they are allowed, and a pace."""

    paths: list[tuple[str, bool]] = msgspec.field(default_factory=list)
    delay_s: float = 0.0

    def add(self, key: str, value: str) -> None:
        """Take a line of it; one that makes no sense counts as none."""
        if key in ("allow", "disallow"):
            if value:
                self.paths.append((value, key == "allow"))
            return
        pages, _, seconds = value.rpartition("/")  # of a Crawl-delay, only the seconds
        with suppress(ValueError, ZeroDivisionError):
            delay = float(seconds) / float(pages or 1)
            if 0 < delay < math.inf:
                self.delay_s = max(self.delay_s, delay)


class Rules:
    """The rules of one host: all is allowed if it has none, nothing if they cannot be had."""

    def __init__(self, outcome: PageOutcome) -> None:
        groups = _groups(_text(outcome).splitlines())
        self._group = groups.get(AGENT) or groups.get(ANYBODY) or AskedOf()
        self.delay_s = self._group.delay_s

    def allow(self, url: str) -> bool:
        """Tell whether a page may be asked for: the longest path that fits decides."""
        parts = urlsplit(url)
        path = unquote(f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/")
        fitting = ((len(it), allowed) for it, allowed in self._group.paths if _fits(it, path))
        return max(fitting, default=(0, True))[1]


def job(of: Job) -> Job:
    """Return how the rules of a host are fetched, before the pages of a job."""
    return Job(STEPS, goes=True, repeatable=True, timeout_s=of.timeout_s)


def page_of(host: str) -> Page:
    """Return where the rules of a host are."""
    return Page(-1, f"{host}/robots.txt")


def refused(page: Page) -> PageOutcome:
    """Say that a page was not asked for."""
    error = "robots.txt of the site asks programs to leave this page alone, or cannot be had."
    return PageOutcome(page.n, page.url, PageState.FAILED, code="robots", error=error, attempts=0)


def _text(outcome: PageOutcome) -> str:
    if outcome.state is not PageState.DONE or (outcome.status or 500) >= 500:
        return NOTHING
    return str(outcome.result["page"]["text"])[:MAX_CHARS] if outcome.status == 200 else ""


def _groups(lines: Iterable[str]) -> dict[str, AskedOf]:
    """Return what is asked of whom; several groups for one name count as one."""
    groups: dict[str, AskedOf] = {}
    named: list[AskedOf] = []
    is_naming = False
    for line in lines:
        key, _, value = (it.strip() for it in line.partition("#")[0].partition(":"))
        key = key.lower().lstrip("\ufeff")
        if key == "user-agent":
            token = _TOKEN.match(value.lower())
            named = named if is_naming else []
            named.append(groups.setdefault(token[0] if token else "", AskedOf()))
            is_naming = True
        elif key in ("allow", "disallow", "crawl-delay", "request-rate"):
            is_naming = False
            for group in named:
                group.add(key, value)
    return groups


def _fits(pattern: str, path: str) -> bool:
    """Tell whether a path begins as a pattern has it: `*` is anything, a last `$` its end."""
    first, *others = map(unquote, pattern.removesuffix("$").split("*"))
    if not path.startswith(first):
        return False
    at, end = len(first), len(path)
    if pattern.endswith("$"):
        last = others.pop() if others else ""
        if not path.endswith(last) or (at < end and "*" not in pattern):
            return False
        end -= len(last)
    for piece in others:
        at = path.find(piece, at, end) + len(piece)
        if at < len(piece):
            return False
    return at <= end
