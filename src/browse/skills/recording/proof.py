"""Write test_script.py: what each parser finds on the kept page, and the order of the steps."""

from collections.abc import Mapping

from browse.skills.recording.readings import RecordedReading
from browse.skills.recording.script import ScriptPlan, commands, moves
from browse.skills.recording.spelling import literal

TEST_HEAD = """from pathlib import Path

from _lib.browse_client import Browse
from script import @@IMPORTS@@

FIXTURES = Path(__file__).parent / "fixtures"
"""
STAND_IN = '''class Recorded(Browse):
    """A browser that does nothing but note what it is asked, and shows the pages that were kept."""

    def __init__(self) -> None:
        self.tab_id = None
        self.asked: list[str] = []
        self.pages = iter([@@PAGES@@])

    def json(self, name: str, *args: object) -> dict:
        self.asked.append(name)
        html = next(self.pages, "") if name == "html" else ""
        kept = {"html": html, "url": URL, "text": "", "links": [], "forms": [], "rows": []}
        return {"tabId": 1, "page": {**kept, "attributes": {}}}

    def command(self, name: str, *args: object) -> str:
        self.asked.append(name)
        return ""
'''


def proof(plan: ScriptPlan, fixtures: Mapping[int, str]) -> str:
    """Write test_script.py; `fixtures` maps the number of a reading step to its file."""
    files = list(dict.fromkeys(fixtures[it.step.number] for it in plan.parsed))
    names = {file: f"PAGE_{at}" if at > 1 else "PAGE" for at, file in enumerate(files, 1)}
    imports = ", ".join(["main", *sorted(f"parse_{it.key}" for it in plan.parsed)])
    head = TEST_HEAD.replace("@@IMPORTS@@", imports)
    head += "".join(
        f'{name} = (FIXTURES / {literal(file)}).read_text("utf-8")\n'
        for file, name in names.items()
    )
    asked = {it.name: "…" if it.default is None else it.default for it in plan.given}
    pairs = [f"{literal(name)}: {literal(value)}" for name, value in asked.items()]
    url = next((it.step.after.url for it in plan.readings), "")
    head += f"URL = {literal(url)}\nARGS = {{{', '.join(pairs)}}}\n"
    shown = [move.shown for move in moves(plan) if move.shown]
    pages = [names[fixtures[it.step.number]] for it in shown]
    parts = [STAND_IN.replace("@@PAGES@@", ", ".join(pages))]
    parts += [_shape_test(it, names[fixtures[it.step.number]]) for it in plan.parsed]
    return "\n\n".join([head, *parts, _order_test(plan)])


def _shape_test(reading: RecordedReading, page: str) -> str:
    url = ", URL" if reading.needs_url else ""
    lines = [
        f"def test_{reading.key}_is_found_and_not_empty():",
        f"    found = parse_{reading.key}({page}{url})",
        "",
        "    assert found",
    ]
    sample = reading.sample
    if isinstance(sample, list):
        keys = ", ".join(map(literal, sample[0]))
        every = "all" if all(any(row.values()) for row in sample) else "any"
        lines += [
            f"    assert all(list(row) == [{keys}] for row in found)",
            f"    assert {every}(any(row.values()) for row in found)",
        ]
    elif isinstance(sample, dict):
        lines += [f"    assert list(found) == [{', '.join(map(literal, sample))}]"]
    return "\n".join(lines) + "\n"


def _order_test(plan: ScriptPlan) -> str:
    asked = ", ".join(map(literal, commands(plan)))
    keys = [it.key for it in plan.readings] or ["url", "title"]
    return (
        "def test_the_steps_are_taken_in_their_order():\n"
        "    browse = Recorded()\n\n"
        "    found = main(browse, ARGS)\n\n"
        f"    assert list(found) == [{', '.join(map(literal, keys))}]\n"
        f"    assert browse.asked == [{asked}]\n"
    )
