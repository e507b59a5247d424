"""Write docs/security/rules.md from the table of the guard's rules."""

from tools.guard_cells import MEANING, Cell, Channel, Enforced, Gap, Rule
from tools.guard_table import RULES
from tools.markdown import table

_PROSE = """\
Each rule, and each way by which a page, a caller or a program could get around it: which module of
`src/browse` enforces it with a test that shows it, or why it does not apply. A gap is a way by
which the rule does not hold yet. The reasons behind the rules are in [Network
rules](network-rules.md), [Secrets](secrets.md) and the [Threat model](threat-model.md)."""


def text(made: str) -> str:
    """Write the page."""
    lines = ["# Rules and channels", "", f"<!-- {made} -->", "", _PROSE, ""]
    lines += table(("channel", "what it is"), [(it, MEANING[it]) for it in Channel])
    for rule in RULES:
        lines += ["", *_section(rule)]
    return "\n".join(lines) + "\n"


def _section(rule: Rule) -> list[str]:
    rows = [(channel, *_told(rule.cells[channel])) for channel in Channel]
    return [f"## {rule.name}", "", rule.meaning, "", *table(("channel", "how", "test"), rows)]


def _told(cell: Cell) -> tuple[str, str]:
    match cell:
        case Enforced(by, test):
            path, _, name = test.partition("::")
            return f"enforced by `{by}`", f"`{name}` in `{path}`"
        case Gap(what):
            return f"**gap**: {what}", ""
        case _:
            return f"does not apply: {cell.why}", ""
