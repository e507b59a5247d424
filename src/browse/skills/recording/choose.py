"""Which steps of a tab become a skill: the last ones, without those that failed or only looked.

A step is kept if a skill may run it: what a skill's token does not cover is left out and reported.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.flow.steps import Step
from browse.registry.spec import Group, Spec
from browse.registry.table import CommandTable

# The scopes of a skill's token.
COVERED = Scope.READ | Scope.WRITE
STARTS = ("goto", "newtab", "load-html")
# Commands whose results the parsers and the SDK can read from a page.
READS = ("text", "html", "markdown", "table", "links", "attrs", "forms", "data", "media")
FRAME = "frame"  # not done by a skill, but selectors after it are looked for there
CODE = ("js", "eval")
LOOKED = "it only looked"
# Commands whose words are values that somebody typed or chose.
TYPING = ("fill", "type", "select")
REF = re.compile(r"@[a-z]\d+")


class LeftOut(msgspec.Struct, frozen=True):
    """A step that does not become part of the skill, and why."""

    number: int
    command: str
    reason: str


class ChosenSteps(msgspec.Struct, frozen=True):
    """The steps of a skill in order, and those between them that are left out."""

    steps: tuple[Step, ...]
    left_out: tuple[LeftOut, ...] = ()


def choose(steps: Sequence[Step], table: CommandTable, since: int | None = None) -> ChosenSteps:
    """Choose the steps from a number on, or from the last time a page was opened by address."""
    if not steps:
        raise BrowseError(
            Code.JOURNAL,
            "Nothing was done in this tab that could become a skill.",
            hint="go through the task by hand first: browse goto <url>, then what there is to do",
        )
    begin = _begin(steps, since)
    kept: list[Step] = []
    left: list[LeftOut] = []
    for step in steps[begin:]:
        if reason := unfit(step, table):
            left.append(LeftOut(step.number, step.command, reason))
        else:
            kept.append(step)
    chosen, repeated = _once(kept)
    left += [LeftOut(it.number, it.command, "the same was read again") for it in repeated]
    left_out = tuple(sorted((it for it in left if it.reason != LOOKED), key=lambda it: it.number))
    if not chosen:
        raise BrowseError(
            Code.JOURNAL,
            f"None of the steps from number {steps[begin].number} on can become part of a skill.",
            hint="`browse replay --list` lists the steps; begin earlier with --from <n>",
        )
    return ChosenSteps(chosen, left_out)


def reads(step: Step) -> bool:
    """Check whether a step read something from a page."""
    return step.command in READS


def _begin(steps: Sequence[Step], since: int | None) -> int:
    numbers = [step.number for step in steps]
    if since is not None:
        if since not in numbers:
            raise BrowseError(
                Code.USAGE,
                f"skill record: there is no step {since} in this tab; "
                f"it has {numbers[0]} to {numbers[-1]}",
                hint="`browse replay --list` lists them",
            )
        return numbers.index(since)
    starts = [at for at, step in enumerate(steps) if step.succeeded and _opens(step)]
    return starts[-1] if starts else 0


def _opens(step: Step) -> bool:
    return step.command in STARTS and any(not word.startswith("-") for word in step.words)


def unfit(step: Step, table: CommandTable) -> str:
    """Return why a step cannot be part of a skill; "" if it can."""
    spec, _ = table.split(step.typed)
    if not step.succeeded:
        return f"it failed ({step.error})"
    if spec.name == FRAME:
        return ""
    if _only_looks(step, spec):
        return LOOKED
    return _forbidden(step, spec)


def _only_looks(step: Step, spec: Spec) -> bool:
    if spec.name == "table" and step.shape.fields[:2] == ("nth", "kind"):
        return True  # at what tables there are
    moves = spec.group is Group.NAVIGATION and bool(spec.scope & Scope.WRITE)
    return not (spec.acts or moves or spec.name in (*STARTS, *READS, *CODE))


def _forbidden(step: Step, spec: Spec) -> str:
    if step.hides and spec.name not in (*STARTS, *TYPING):
        return "a secret is part of it"
    if spec.name == "wait" and not step.targets and any(map(REF.fullmatch, step.words)):
        return "its ref means nothing on another visit"
    if spec.name == STARTS[-1]:
        return "a skill opens pages by their address"
    if spec.name in CODE or any(word.startswith("--js") for word in step.words):
        return "a skill may not run JavaScript"
    if spec.scope & ~COVERED:
        return f"a skill's token does not cover it ({spec.scope.words()})"
    if any(arg.param.metavar == "file" for arg in spec.arguments):
        return "a skill may not read or write your files"
    return ""


def _once(steps: Sequence[Step]) -> tuple[tuple[Step, ...], list[Step]]:
    """If the same reading occurs twice with no action between, keep the later one."""
    repeated = list(_repeated(steps))
    return tuple(step for step in steps if step not in repeated), repeated


def _repeated(steps: Sequence[Step]) -> Iterator[Step]:
    since: list[Step] = []
    for step in steps:
        if not reads(step):
            since = []
            continue
        said = (step.command, step.words)
        yield from (it for it in since if (it.command, it.words) == said)
        since.append(step)
