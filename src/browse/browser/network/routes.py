"""Requests that we answer, or refuse, in place of the network: rules for all tabs.

A rule is asked before a HAR that is replayed, and the newest rule before the others.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, field

from playwright.async_api import BrowserContext, Route
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.network.url_patterns import UrlPattern
from browse.core.errors import Usage

log = logging.getLogger(__name__)
MAX_RULES = 100
MAX_HELD_BYTES = 200_000_000
# What a page is told of a request that was refused: net::ERR_BLOCKED_BY_CLIENT.
REFUSED = "blockedbyclient"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page gets instead of the server's answer."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(eq=False)  # without slots: the driver's binding hangs its wrapper on the object
class Rule:
    """A pattern, the answer to requests that match it (None: refused), and how many did."""

    pattern: UrlPattern
    answer: Answer | None
    hits: int = 0

    async def apply(self, route: Route) -> None:
        """Answer a request; one that cannot be answered is refused, so that no page hangs."""
        self.hits += 1
        try:
            if self.answer is None:
                await route.abort(REFUSED)
            else:
                answer = self.answer
                await route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)
        except DriverError as exc:
            log.warning("a request was not answered: %s", exc.message.splitlines()[0])
            with suppress(DriverError):  # the page may be gone
                await route.abort(REFUSED)


class Routes:
    """The rules of a browser, the oldest first."""

    def __init__(self, context: BrowserContext) -> None:
        self.rules: list[Rule] = []
        self._context = context

    async def add(self, rule: Rule) -> bool:
        """Put a rule before the others; tell whether one with the same pattern was replaced."""
        same = self.matching(rule.pattern.text)
        self._require_room(rule, same)
        with translated("making the rule"):
            await self._context.route(rule.pattern.regex, rule.apply)
        self.rules.append(rule)
        await self.remove(same)
        return bool(same)

    def matching(self, text: str) -> list[Rule]:
        """Find the rules whose pattern was spelled like this."""
        return [rule for rule in self.rules if rule.pattern.text == text]

    async def remove(self, rules: list[Rule]) -> None:
        for rule in rules:
            self.rules.remove(rule)
            with translated("removing the rule"):
                await self._context.unroute(rule.pattern.regex, rule.apply)

    async def put_first(self) -> None:
        """Let the rules be asked before what was put in front of them since."""
        for rule in self.rules:
            with translated("ordering the rules"):
                await self._context.unroute(rule.pattern.regex, rule.apply)
                await self._context.route(rule.pattern.regex, rule.apply)

    def _require_room(self, rule: Rule, replaced: list[Rule]) -> None:
        kept = [rule, *(other for other in self.rules if other not in replaced)]
        held = sum(len(other.answer.body) for other in kept if other.answer)
        if len(kept) > MAX_RULES or held > MAX_HELD_BYTES:
            raise Usage(
                f"There is room for {MAX_RULES} rules with {MAX_HELD_BYTES:,} bytes in all.",
                hint="remove some with `browse unroute <pattern>`; `browse routes` lists them",
            )
