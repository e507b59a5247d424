"""Every rule of the guard has a decision for every channel, and every decision is true."""

import re

import pytest
from tools.guard_cells import MEANING, Channel, Enforced, Gap, Inapplicable, Rule
from tools.guard_table import RULES

from meta.markdown import ROOT

GUARD = ROOT / "src" / "browse" / "guard"
CELLS = [(rule.name, channel, cell) for rule in RULES for channel, cell in rule.cells.items()]
# Ways by which a rule does not hold yet. Mend one, then take it out of here and of the table.
KNOWN_GAPS: set[tuple[str, Channel]] = set()


def each(kind: type) -> list[object]:
    return [
        pytest.param(cell, id=f"{rule}: {channel}")
        for rule, channel, cell in CELLS
        if isinstance(cell, kind)
    ]


@pytest.mark.parametrize("rule", [pytest.param(rule, id=rule.name) for rule in RULES])
def test_a_rule_decides_about_every_channel(rule: Rule):
    assert [channel for channel in Channel if channel not in rule.cells] == []


def test_every_channel_is_described():
    assert list(MEANING) == list(Channel)


def test_every_module_of_the_guard_belongs_to_a_rule():
    modules = {path.stem for path in GUARD.glob("*.py")} - {"__init__"}

    assert {name for rule in RULES for name in rule.modules} == modules


@pytest.mark.parametrize("cell", each(Enforced))
def test_what_enforces_a_rule_exists_and_so_does_its_test(cell: Enforced):
    path, _, name = cell.test.partition("::")

    assert (ROOT / "src" / "browse" / cell.by).is_file()
    assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("cell", each(Inapplicable))
def test_what_does_not_apply_has_a_reason(cell: Inapplicable):
    assert len(cell.why.split()) > 3


def test_the_gaps_are_the_known_ones():
    assert {(rule, it) for rule, it, cell in CELLS if isinstance(cell, Gap)} == KNOWN_GAPS
