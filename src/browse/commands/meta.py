"""Commands that run or explain other commands: `chain`, `help`."""

from typing import Annotated, Any

from browse.core.errors import BrowseError
from browse.core.scopes import Reach, Scope
from browse.dispatch.context import Ctx
from browse.egress.pipeline import Outgoing
from browse.registry import chain_script, guide, render
from browse.registry.params import Doc, Secret
from browse.registry.results import Relayed, Text
from browse.registry.spec import Group, Lane, command, declared, families
from browse.registry.table import CommandTable

MAX_RECEIPT_LINES = 3


@command(
    group=Group.META,
    scope=Scope.META,
    lane=Lane.FREE,
    reach=Reach.OWN,
    deadline=None,
    reads_stdin=True,
)
async def chain(ctx: Ctx, *words: Secret) -> Relayed:
    """Run several commands in one call; stop at the first that fails.

    Takes a JSON array of arrays on stdin or as the argument, or commands separated by bars. Empty
    commands are skipped; quote an argument that contains a bar. Steps that say no more than that
    they were done share a line.

    Examples:
        browse chain 'goto https://example.com | text | links'
        browse chain '[["goto", "https://example.com"], ["text", "--max-chars", "500"]]'
    """
    typed = "" if words == ("-",) else " ".join(words)
    script = typed or ctx.call.stdin.decode("utf-8", "replace")
    steps = chain_script.parse(script, bars_alone=len(words) > 1)
    table = CommandTable(declared())
    done: list[dict[str, Any]] = []
    receipts = _Receipts(ctx)
    for number, step_words in enumerate(steps, 1):
        inner = (*step_words, "--json") if ctx.json and "--json" not in step_words else step_words
        step = await ctx.run(ctx.call.inner(inner, within="chain"))
        label = _label(table, step_words)
        done.append(
            {
                "command": label,
                "ok": step.error is None,
                "result": step.output.data if step.output.is_json else None,
            }
        )
        if step.error:
            await receipts.emit()
            if ctx.json:
                await ctx.emit(Relayed("", {"steps": done}))
            raise _broken(step.error, label, number, len(steps)) from step.error
        if not ctx.json and not receipts.take(step.output):
            await receipts.emit()
            await ctx.emit(Relayed(f"[{label}]\n{step.output.text}"))
    await receipts.emit()
    return Relayed("", {"steps": done})


class _Receipts:
    """Replies that only confirm what was done, kept until they are printed on one line."""

    def __init__(self, ctx: Ctx) -> None:
        self._ctx = ctx
        self._kept: list[str] = []

    def take(self, output: Outgoing) -> bool:
        """Keep a reply if it is a short one of ours; such a line says itself what was done."""
        lines = output.text.split("\n")
        if not output.is_ours or len(lines) > MAX_RECEIPT_LINES:
            return False
        first, *more = lines
        self._kept.append(f"{first} ({', '.join(more)})" if more else first)
        return True

    async def emit(self) -> None:
        if self._kept:
            await self._ctx.emit(Relayed("; ".join(self._kept)))
            self._kept.clear()


def _label(table: CommandTable, words: tuple[str, ...]) -> str:
    """Return the label of a step; an alias also shows its command."""
    try:
        name = table.split(words)[0].command
    except BrowseError:
        return words[0]
    return words[0] if name == words[0] else f"{words[0]}→{name}"


def _broken(error: BrowseError, label: str, number: int, total: int) -> BrowseError:
    left = f"; the {total - number} after it did not run" if number < total else ""
    return BrowseError(
        error.code,
        f"[{label}] ERROR: step {number} of {total} failed{left}. {error.message}",
        hint=error.hint,
        page=error.page,
        facts=error.facts,
    )


@command(group=Group.META, scope=Scope.READ, lane=Lane.FREE, reach=Reach.OWN)
async def help(
    ctx: Ctx,
    *command: str,
    agent: Annotated[bool, Doc("Print the guide for agents.")] = False,
) -> Text:
    """List the commands, or show the help of one.

    Examples:
        browse help
        browse help goto
        browse help skill run
        browse help --agent
    """
    table = CommandTable(declared())
    if agent:
        return Text(guide.text(table.specs))
    if not command:
        return Text(render.overview(table.specs))
    if len(command) == 1 and (family := table.families.get(command[0])):
        return Text(render.family_text(family, families(table.specs)[family]))
    return Text(render.help_text(table.find(" ".join(command))))
