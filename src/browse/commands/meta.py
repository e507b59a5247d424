"""Commands that run or explain other commands: `chain`, `help`."""

from typing import Annotated, Any

from browse.core.errors import BrowseError
from browse.core.scopes import Reach, Scope
from browse.dispatch.context import Ctx
from browse.registry import chain_script, guide, render
from browse.registry.params import Doc, Secret
from browse.registry.results import Relayed, Text
from browse.registry.spec import Group, Lane, command, declared, families
from browse.registry.table import CommandTable


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
    commands are skipped; quote an argument that contains a bar.

    Examples:
        browse chain 'goto https://example.com | text | links'
        browse chain '[["goto", "https://example.com"], ["text", "--max-chars", "500"]]'
    """
    typed = "" if words == ("-",) else " ".join(words)
    script = typed or ctx.call.stdin.decode("utf-8", "replace")
    steps = chain_script.parse(script, bars_alone=len(words) > 1)
    table = CommandTable(declared())
    done: list[dict[str, Any]] = []
    for number, step_words in enumerate(steps, 1):
        inner = (*step_words, "--json") if ctx.json and "--json" not in step_words else step_words
        step = await ctx.run(ctx.call.inner(inner, within="chain"))
        label = _label(table, step_words[0])
        done.append(
            {
                "command": label,
                "ok": step.error is None,
                "result": step.output.data if step.output.is_json else None,
            }
        )
        if step.error:
            if ctx.json:
                await ctx.emit(Relayed("", {"steps": done}))
            raise _broken(step.error, label, number, len(steps)) from step.error
        if not ctx.json:
            gap = "" if number == len(steps) else "\n\n"
            await ctx.emit(Relayed(f"[{label}] {step.output.text}{gap}"))
    return Relayed("", {"steps": done})


def _label(table: CommandTable, word: str) -> str:
    """Return the label of a step; an alias also shows its command."""
    try:
        name = table.find(word).command
    except BrowseError:
        return word
    return word if name == word else f"{word}→{name}"


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
