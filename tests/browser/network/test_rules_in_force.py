"""Rules of two Chromiums, while tabs move from one to the other."""

from typing import Any

import pytest

from browse.browser.network.rules_in_force import RulesInForce


class FakeRules:
    """Rules that object, or let through what one of their tabs has asked for."""

    def __init__(self, objection: str, *, are_there: bool = True) -> None:
        self._objection = objection
        self._are_there = are_there

    def are_there(self) -> bool:
        return self._are_there

    async def objection(self, entrance: str, host: str) -> str:
        return self._objection


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ([], ""),
        ([FakeRules("no")], "no"),
        ([FakeRules("no"), FakeRules("", are_there=False)], "no"),
        ([FakeRules("no"), FakeRules("")], ""),
        ([FakeRules("no"), FakeRules("no")], "no"),
    ],
)
async def test_a_host_is_let_through_by_who_has_rules_and_knows_it(rules: list[Any], why: str):
    in_force = RulesInForce()
    for each in rules:
        in_force.add(each)

    assert await in_force.objection("web", "x.test") == why
    assert in_force.are_there() is any(each.are_there() for each in rules)


async def test_rules_of_a_closed_chromium_are_gone():
    in_force, rules = RulesInForce(), FakeRules("no")
    kept: Any = rules
    in_force.add(kept)
    in_force.remove(kept)

    assert await in_force.objection("web", "x.test") == ""
