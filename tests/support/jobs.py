"""Jobs that people give to agents, done with the real client, and what each of them costs.

As a plugin of pytest it prints what became of the jobs of a run, and writes that as JSON.
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from tools.apps import FOLDER

from support.cli import Project, Ran

KEY = "job"
TABLE = FOLDER / "jobs.json"
HEADS = ("application", "job", "result", "calls", "characters")
# An agent that needs one of these has not been served: the job would be done around the product.
WORKAROUNDS = {"js", "eval", "cdp", "run", "mouse", "--at", "--by", "--anyway", "--force"}
# A class or an id in a selector: an agent that was not shown it cannot know it.
INNER = re.compile(r"[.#]([A-Za-z][\w-]*)")
# A line of a snapshot: `@e3 [button] "Save" …`, and in front of it what a difference marks.
ROW = re.compile(r'^(?:[+~>] )? *(@[ec]\d+) \[([^\]]*)\](?: "((?:[^"\\]|\\.)*)")?(.*)$', re.M)


@dataclass(frozen=True)
class Row:
    """An element as the agent has read it."""

    ref: str
    role: str
    name: str
    rest: str


@dataclass
class Job:
    """Runs the client as the agent would; counts its calls and the characters that it reads."""

    project: Project
    counts: dict[str, Any]
    # What each reply has shown, the newest first.
    shown: list[list[Row]] = field(default_factory=list)
    read: str = ""

    def __call__(self, *words: str, stdin: str | None = None) -> Ran:
        """Make one call; it must succeed. Return what the agent reads."""
        assert not WORKAROUNDS & {*words}, f"a workaround: {words}"
        assert not (words[0] == "wait" and words[1:2] and words[1].isdigit()), "sleeps"
        unknown = [name for name in _inner(*words) if name not in self.read]
        assert not unknown, f"no reply has shown {unknown}: {words}"
        self.counts["calls"] += 1
        # On a busy machine an application takes longer than an agent waits by itself.
        longer = ("--within", "60s") if "--expect" in words and "--within" not in words else ()
        ran = self.project.ok(*words, *longer, stdin=stdin)
        self.counts["characters"] += len(ran.out) + len(ran.err)
        self.read += ran.out + ran.err
        rows = [Row(*found) for found in ROW.findall(ran.out)]
        self.shown.insert(0, rows)
        return ran

    def ref(self, role: str, name: str = "", near: str = "") -> str:
        """Return the ref of the one element that was last shown with this role and name.

        The name may be a part of the name; one that is the same goes first. `near` is what else
        its line says, such as the row or the section that it is in.
        """
        for rows in self.shown:
            fitting = [
                row
                for row in rows
                if row.role == role and name in row.name and near in f"{row.name}{row.rest}"
            ]
            found = [row for row in fitting if row.name == name] or fitting
            assert len(found) < 2, f"{role} {name!r} {near!r}: {found}"
            if found:
                return found[0].ref
        raise AssertionError(f"no {role} {name!r} {near!r} in {self.shown}")


def _inner(command: str, *words: str) -> list[str]:
    """List the classes and ids in the selectors of a call."""
    parts = " ".join(words).split() if command == "chain" else words
    return [name for part in parts if part[:1] in {".", "#"} for name in INNER.findall(part)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every job its line of the table, also where it is skipped."""
    for item in items:
        if marker := item.get_closest_marker("job"):
            application = item.path.stem.removeprefix("test_").replace("_", "-")
            line = {"application": application, "job": marker.args[0], "calls": 0, "characters": 0}
            item.user_properties.append((KEY, line))


def counts_of(item: pytest.Item) -> dict[str, Any]:
    """Return the line of a job, in which its calls are counted."""
    found = dict(item.user_properties).get(KEY)
    assert isinstance(found, dict), 'mark it with @pytest.mark.job("the words of a person")'
    return found


def lines(stats: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Collect the lines of all jobs of a run, with their results."""
    found = {}
    for result in ("passed", "skipped", "failed", "error"):  # an error at the end has the last word
        for report in stats.get(result, []):
            for key, line in getattr(report, "user_properties", ()):
                if key == KEY:
                    found[report.nodeid] = {**line, "result": result}
    return sorted(found.values(), key=lambda line: (line["application"], line["job"]))


def table(told: list[dict[str, Any]]) -> list[str]:
    """Set the lines as a table of Markdown."""
    rows = [HEADS, *(tuple(str(line[head]) for head in HEADS) for line in told)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    printed = [" | ".join(map(str.ljust, row, widths)) for row in rows]
    printed.insert(1, " | ".join("-" * width for width in widths))
    return [f"| {line} |" for line in printed]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table of the jobs that this run was to do."""
    if not (told := lines(terminalreporter.stats)):
        return
    terminalreporter.write_sep("=", "jobs in real applications")
    for line in table(told):
        terminalreporter.write_line(line)
    with suppress(OSError):  # a checkout of somebody else's
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
