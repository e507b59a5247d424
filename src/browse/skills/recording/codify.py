"""Turn the steps of a tab into the files of a skill. The same steps give the same bytes."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from browse.core.errors import BrowseError, Code
from browse.flow.steps import Step
from browse.guard.secrets import without_field_values
from browse.registry.table import CommandTable
from browse.skills import frontmatter, template
from browse.skills.recording import choose, markup, script
from browse.skills.recording.actions import (
    ActionWriter,
    Arguments,
    Given,
    SplitWords,
    following,
    not_findable,
)
from browse.skills.recording.choose import ChosenSteps, LeftOut
from browse.skills.recording.manifest import manifest
from browse.skills.recording.proof import proof
from browse.skills.recording.readings import RecordedReading, reading, wishes
from browse.skills.recording.script import ScriptLine, ScriptPlan
from browse.skills.recording.spelling import PythonNames

FLOW = "flow.json"
WEB = ("http", "https")
# Names that `main` uses itself; and `parse_qsl` is not one of the parsers.
OWN = ("browse", "args", "html", "page", "parse", "words", "with_query", "qsl")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class Flow(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `skill check` needs: where it began, and each step with its element and its page."""

    url: str
    steps: tuple[Step, ...]
    parsed: tuple[int, ...] = ()  # the steps that read by a parser
    secrets: dict[int, str] = {}  # by step: the argument for a value that was not kept


class RecordedSkill(msgspec.Struct, frozen=True):
    """The files of a skill, and how each step was used."""

    files: dict[str, bytes]
    steps: tuple[Step, ...]
    given: tuple[Given, ...]
    readings: tuple[RecordedReading, ...]
    left_out: tuple[LeftOut, ...]


def codify(
    name: str, chosen: ChosenSteps, page_of: Callable[[int], str | None], table: CommandTable
) -> RecordedSkill:
    """Write the files of a skill that runs the chosen steps."""
    steps = tuple(replace(step, number=at) for at, step in enumerate(chosen.steps, 1))
    pages = {at: page_of(step.number) for at, step in enumerate(chosen.steps, 1)}
    writer, start = _Writer(table, pages), _start(steps[0])
    plan = writer.plan(name, steps, start)
    fixtures, kept = _fixtures(plan, writer.pages)
    secrets = {it.step: it.name for it in plan.given if it.default is None}
    flow = Flow(start, steps, tuple(it.step.number for it in plan.parsed), secrets)
    texts = {
        "SKILL.md": manifest(plan, steps),
        "script.py": script.script(plan),
        "test_script.py": proof(plan, fixtures),
        FLOW: _pretty(flow),
        **{f"fixtures/{file}": page for file, page in kept.items()},
    }
    files = {file: text.encode("utf-8", "replace") for file, text in texts.items()}
    files[template.LIBRARY] = template.SDK.read_bytes()
    return RecordedSkill(files, steps, plan.given, plan.readings, chosen.left_out)


def _start(first: Step) -> str:
    """Return the address where a skill begins: the first step's own, else where it was run."""
    url = first.after.url if first.command in choose.STARTS else first.before.url
    if urlsplit(url).scheme not in WEB:
        raise BrowseError(
            Code.JOURNAL,
            f"Step {first.number} ({first.command}) is not on a page with an address of the web.",
            hint="begin where a page is opened by its address: browse goto <url>",
        )
    return url


class _Writer:
    def __init__(self, table: CommandTable, kept: Mapping[int, str | None]) -> None:
        self._table = table
        self._kept = kept
        self._arguments = Arguments()
        self._actions = ActionWriter(self._arguments)
        self._keys = PythonNames(OWN)
        self.pages: dict[int, str] = {}

    def plan(self, name: str, steps: Sequence[Step], url: str) -> ScriptPlan:
        first, flags = steps[0], False
        rest = list(steps)
        if first.command in choose.STARTS:
            said = SplitWords(self._table.split(first.typed)[0], first.words)
            url = said.first()
            flags = bool(said.flags)
            rest = rest if flags else rest[1:]
        start = "" if flags else self._arguments.open(url, first)
        script_lines = [doing for step in rest if (doing := self._script_line(step))]
        if start and (follows := self._arguments.following(url)):
            start = following(start, follows)
        host = _host(first.after.url or url)
        return ScriptPlan(
            name, host, start, flags, tuple(script_lines), tuple(self._arguments.given)
        )

    def _script_line(self, step: Step) -> ScriptLine | None:
        if step.command == "frame":
            self._enter(step)
            return None
        if choose.reads(step):
            return self._reading(step)
        moved = step.before.url != step.after.url
        spec, _ = self._table.split(step.typed)
        name = "goto" if step.command in choose.STARTS else spec.command
        done = ScriptLine(self._actions.line(step, spec), name)
        self._actions.frame = () if moved else self._actions.frame
        return done

    def _enter(self, step: Step) -> None:
        target = step.targets.get("target")
        if target is None and step.words[:1] != ("main",):
            raise not_findable(step)
        self._actions.frame = (*target.frame, target.css) if target else ()

    def _reading(self, step: Step) -> ScriptLine:
        spec, _ = self._table.split(step.typed)
        kept = self._kept[step.number]
        page = None if kept is None else without_field_values(markup.light(kept))
        key = self._keys.give(*wishes(step))
        found = reading(step, spec, key, page, self._actions.frame)
        if found.parsed and page is not None:
            self.pages[step.number] = page
        return ScriptLine(found.code, spec.name, found)


def _host(url: str) -> str:
    host = urlsplit(url).netloc.rpartition("@")[2].lower()
    probe = f"---\nhost: {host}\n---\n".encode()
    try:
        return frontmatter.parse(probe).host
    except frontmatter.Faulty:  # an address that no host name is in
        return "*"


def _fixtures(plan: ScriptPlan, pages: dict[int, str]) -> tuple[dict[int, str], dict[str, str]]:
    """Name the kept pages, each once, after the host and the day."""
    names: dict[str, str] = {}
    for it in plan.parsed:
        page = pages[it.step.number]
        if page not in names:
            host = re.sub(r"[^a-z0-9]+", "-", _host(it.step.after.url)).strip("-") or "page"
            day = _DATE.match(it.step.ts)
            end = f"-{len(names) + 1}" if names else ""
            names[page] = f"{host}-{day[0] if day else 'undated'}{end}.html"
    numbers = {it.step.number: names[pages[it.step.number]] for it in plan.parsed}
    return numbers, {file: page for page, file in names.items()}


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"
