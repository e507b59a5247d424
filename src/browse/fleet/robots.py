"""What a site asks of programs: its robots.txt, fetched by a worker as any page is."""

from urllib.robotparser import RobotFileParser

from browse.fleet.job import Job
from browse.fleet.visit import Page, PageOutcome, PageState

AGENT = "browse"
NOTHING = ["User-agent: *", "Disallow: /"]
JOB = Job((("text", "--max-chars", "0"),), goes=True, repeatable=True)


def page_of(host: str) -> Page:
    """Return where the rules of a host are."""
    return Page(-1, f"{host}/robots.txt")


class Rules:
    """The rules of one host: all is allowed if it has none, nothing if they cannot be had.

    So RFC 9309 has it.
    """

    def __init__(self, outcome: PageOutcome | None) -> None:
        self._parser = RobotFileParser()
        self._parser.parse(_lines(outcome))

    def allow(self, url: str) -> bool:
        return self._parser.can_fetch(AGENT, url)

    @property
    def delay_s(self) -> float:
        """How long to wait between two pages, if they say so."""
        rate = self._parser.request_rate(AGENT)
        paced = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(float(self._parser.crawl_delay(AGENT) or 0), paced)


def refused(page: Page) -> PageOutcome:
    """Say that a page was not asked for."""
    error = "robots.txt of the site asks programs to leave this page alone, or cannot be had."
    return PageOutcome(page.n, page.url, PageState.FAILED, code="robots", error=error, attempts=0)


def _lines(outcome: PageOutcome | None) -> list[str]:
    if outcome is None or outcome.state is not PageState.DONE or (outcome.status or 500) >= 500:
        return NOTHING
    if outcome.status != 200:
        return []
    return str(outcome.result["page"]["text"]).splitlines()
