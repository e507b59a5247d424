"""The request rules of all Chromiums that run: of one, or of two while tabs move between them."""

import asyncio

from browse.browser.network.request_rules import RequestRules
from browse.browser.network.socks_proxy import Entrance


class RulesInForce:
    """Answers for the proxy, which does not know which Chromium connects."""

    def __init__(self) -> None:
        self._rules: list[RequestRules] = []

    def add(self, rules: RequestRules) -> None:
        self._rules.append(rules)

    def remove(self, rules: RequestRules) -> None:
        self._rules.remove(rules)

    def are_there(self) -> bool:
        """Check whether there is a rule in any of them."""
        return any(rules.are_there() for rules in self._rules)

    async def objection(self, entrance: Entrance, host: str) -> str:
        """Return why the proxy may not connect to a host; "" when one with rules lets it."""
        asked = [rules.objection(entrance, host) for rules in self._rules if rules.are_there()]
        answers = await asyncio.gather(*asked)
        return answers[0] if answers and all(answers) else ""
