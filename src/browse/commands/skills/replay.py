"""`replay`: run the steps of a tab again."""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated

from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Reach, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.replay import ReplayRun
from browse.dispatch.services import JournalService
from browse.flow import journal_file
from browse.flow.journal import FlowJournal, client_of
from browse.flow.steps import Step
from browse.guard.files import ReadPath, check_read
from browse.registry.params import Doc, Param, Surroundings, unlogged, whole
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command, declared
from browse.registry.table import CommandTable

MAX_STEP = 10**9


def _value(raw: str, _: Surroundings) -> tuple[int, str]:
    found = re.fullmatch(r"([0-9]{1,9})=(.+)", raw, re.DOTALL)
    if not found:
        raise Usage("that is not a step and its value", hint="write --value <step>=<value>")
    return int(found[1]), found[2]


def _journal_file(raw: str, env: Surroundings) -> ReadPath:
    """Check a file to read; the project's own journal may be read here, and nowhere else.

    A caller gets only its own steps from it.
    """
    try:
        return check_read(raw, cwd=env.cwd, roots=env.journals)
    except BrowseError as exc:
        if exc.code is not Code.PATH_REFUSED:
            raise
    return env.read(raw)


JournalFile = Annotated[ReadPath, Param("file", _journal_file)]
Number = Annotated[int, whole(1, MAX_STEP)]
Value = Annotated[tuple[int, str], Param("step=value", _value, noted=unlogged)]


@command(
    group=Group.SKILLS,
    scope=Scope.META,
    lane=Lane.FREE,
    reach=Reach.OWN,
    deadline=None,
    mutates=lambda values: not values["list_"],
)
async def replay(
    ctx: Ctx,
    *,
    list_: Annotated[bool, Doc("List the steps of the tab; run nothing.")] = False,
    from_: Annotated[Number | None, Doc("First step to run.")] = None,
    to: Annotated[Number | None, Doc("Last step to run.")] = None,
    value: Annotated[
        tuple[Value, ...], Doc("The value for a step whose value was a secret and is not stored.")
    ] = (),
    file: Annotated[
        JournalFile | None, Doc("Read the steps from this journal file, not from the daemon.")
    ] = None,
    journal: JournalService,
) -> Text:
    """Run the steps of the current tab again in a new tab; stop where the page differs.

    Each element is found by its own selector, then by its role and name; an element to act on must
    have the same name. A page with another structure, but nothing missing, is reported as a
    warning. Steps that failed are left out. The new tab stays open and becomes the current one.
    Whatever the steps send is sent again: orders, messages, deletions.

    With --file, --tab-id is the number that the tab had then; the default is the tab used last.

    Examples:
        browse replay --list
        browse replay
        browse replay --from 3 --to 9 --value 5=hunter2
        browse replay --file .gstack/browse-journal.jsonl
    """
    steps = await _steps(ctx, journal, file)
    chosen = [step for step in steps if (from_ or 1) <= step.number <= (to or MAX_STEP)]
    if list_:
        return _listed(chosen)
    flow = ReplayRun(ctx, _fit(chosen, dict(value)), dict(value))
    return await flow.run()


async def _steps(ctx: Ctx, journal: FlowJournal, file: ReadPath | None) -> list[Step]:
    client, tab_id = client_of(ctx.call.caller), ctx.call.tab_id
    if file:
        steps = journal_file.latest(
            await asyncio.to_thread(journal_file.read, file), client, tab_id
        )
        where = f"{file.real} has none" + (f" of tab {tab_id}" if tab_id else "")
    else:
        journal.insist()
        tabs = await ctx.tabs()
        tab = tabs.find(tab_id) if tab_id else await tabs.current(ctx.call.caller)
        steps = journal.steps(tab.id, client)
        where = f"nothing was done in tab {tab.id} yet"
    if not steps:
        raise BrowseError(
            Code.JOURNAL,
            f"There are no steps: {where}.",
            hint="use the tab first, or name another one: browse replay --list --tab-id <id>",
        )
    return steps


def _listed(steps: Sequence[Step]) -> Text:
    lines = [f"{step.number:>4}  {_told(step)}" for step in steps]
    rows = [
        {
            "number": step.number,
            "command": step.command,
            "ok": step.succeeded,
            "error": step.error or None,
            "ms": step.ms,
            **from_page(
                words=step.words,
                url=step.before.url,
                targets={
                    name: {"role": it.role, "name": it.name, "css": it.css}
                    for name, it in step.targets.items()
                },
            ),
        }
        for step in steps
    ]
    count = counted(len(steps), "step")
    tab = f" in tab {steps[-1].tab}" if steps else ""
    return Text(f"{count}{tab}:", {"steps": rows}, page="\n".join(lines), source="journal")


def _told(step: Step) -> str:
    words = " ".join([step.command, *step.words])
    named = "".join(f'  [{it.role}] "{it.name}"' for it in step.targets.values())
    return f"{words}{named}  {step.error or 'ok'}"


def _fit(steps: Sequence[Step], values: dict[int, str]) -> list[Step]:
    """Return the steps to run; raise before the first one if a value is missing."""
    fit = [step for step in steps if step.succeeded]
    if not fit:
        raise BrowseError(
            Code.JOURNAL,
            "None of these steps succeeded, so there is nothing to do again.",
            hint="see them with `browse replay --list`",
        )
    for step in fit:
        if CommandTable(declared()).split(step.typed)[0].lane in (Lane.FREE, Lane.BROWSER):
            raise BrowseError(
                Code.JOURNAL,
                f"Step {step.number} ({step.command}) is not one that runs in a tab. "
                "Nothing was done.",
                hint="leave it out with --from or --to; no journal of ours has such a step",
            )
    hiding = {step.number for step in fit if step.hides}
    if unknown := sorted(set(values) - hiding):
        raise Usage(
            f"replay: --value: step {unknown[0]} has no value that is missing",
            hint="see the steps with `browse replay --list`; *** stands for what is missing",
        )
    for step in fit:
        if step.hides and step.number not in values:
            raise BrowseError(
                Code.JOURNAL,
                f"Step {step.number} ({step.command}) has a secret in it, which is not kept. "
                "Nothing was done.",
                hint=f"give it: browse replay --value {step.number}=<value>",
            )
    return fit
