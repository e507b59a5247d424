"""Requests that we answer or refuse instead of the network: rules for all tabs.

Rules come before a HAR replay, and the newest rule comes first.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass

import msgspec
from playwright.async_api import BrowserContext, Route
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.network.url_patterns import UrlPattern
from browse.core.errors import Usage

log = logging.getLogger(__name__)
MAX_RULES = 100
MAX_HELD_BYTES = 200_000_000
# The error that a page gets for a refused request: net::ERR_BLOCKED_BY_CLIENT.
REFUSED = "blockedbyclient"


class RouteAnswer(msgspec.Struct, frozen=True):
    """What a page gets instead of the server's answer."""

    status: int = 200
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    body: bytes = b""


@dataclass(eq=False)  # without slots: the driver stores an attribute on the object
class RouteRule:
    """A pattern, the answer to requests that match it (None: refused), and how many did."""

    pattern: UrlPattern
    answer: RouteAnswer | None
    hits: int = 0

    async def apply(self, route: Route) -> None:
        """Answer a request; refuse it if that fails, so that the page does not hang."""
        if not self.pattern.matches(route.request.url):
            with suppress(DriverError):  # the page may be gone
                await route.fallback()
            return
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
    """The rules of a session, oldest first."""

    def __init__(self, context: BrowserContext) -> None:
        self.rules: list[RouteRule] = []
        self._context = context

    async def add(self, rule: RouteRule) -> bool:
        """Add a rule before the others; return whether it replaced one with the same pattern."""
        same = self.matching(rule.pattern.text)
        self._require_room(rule, same)
        with translated("making the rule"):
            await self._context.route(rule.pattern.sieve, rule.apply)
        self.rules.append(rule)
        await self.remove(same)
        return bool(same)

    async def join(self, context: BrowserContext) -> None:
        """Answer requests of another browser context too."""
        with translated("making the rules"):
            for rule in self.rules:
                await context.route(rule.pattern.sieve, rule.apply)

    def move(self, context: BrowserContext) -> None:
        """Change the rules of this browser context from now on; it has joined before."""
        self._context = context

    def matching(self, text: str) -> list[RouteRule]:
        """Return the rules with a pattern, as it was typed."""
        return [rule for rule in self.rules if rule.pattern.text == text]

    async def remove(self, rules: list[RouteRule]) -> None:
        for rule in rules:
            self.rules.remove(rule)
            with translated("removing the rule"):
                await self._context.unroute(rule.pattern.sieve, rule.apply)

    async def put_first(self) -> None:
        """Put the rules before handlers that were added later."""
        for rule in self.rules:
            with translated("ordering the rules"):
                await self._context.unroute(rule.pattern.sieve, rule.apply)
                await self._context.route(rule.pattern.sieve, rule.apply)

    def _require_room(self, rule: RouteRule, replaced: list[RouteRule]) -> None:
        kept = [rule, *(other for other in self.rules if other not in replaced)]
        held = sum(len(other.answer.body) for other in kept if other.answer)
        if len(kept) > MAX_RULES or held > MAX_HELD_BYTES:
            raise Usage(
                f"There is room for {MAX_RULES} rules with {MAX_HELD_BYTES:,} bytes in all.",
                hint="remove some with `browse unroute <pattern>`; `browse routes` lists them",
            )
