"""`run` and `skill save`: a script of the caller's own, in the sandbox of skills."""

import asyncio
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from browse.auth.terms import Behalf, Terms
from browse.commands.skills import AROUND_S, SKILL, Args, InProject, Name, installed_skills, tier_of
from browse.commands.skills.printed import SOURCE, Printed
from browse.commands.skills.running import (
    DEFAULT_TIMEOUT_S,
    Seconds,
    check_no_session,
    tested,
    token_for,
)
from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import Paths
from browse.core.scopes import ANYWHERE, Reach, Scope
from browse.core.text import counted
from browse.dispatch.access import Access
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService, ScriptRunsService
from browse.guard.files import ReadPath, WritePath, write_output
from browse.notes.host import page_host
from browse.registry.params import Doc, Param, Surroundings, WriteFile, unlogged
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import ChangedTabs, Group, Lane, command
from browse.skills import process, running, sandbox, script_runs, staging
from browse.skills.installed import read_skill
from browse.skills.process import Ended
from browse.skills.sandbox import Means
from browse.skills.saved_script import files_of
from browse.skills.script_runs import LastScript, ScriptTold
from browse.skills.trust import Trust

MAX_SCRIPT_BYTES = 1024 * 1024
# Of what a script printed before it failed, in JSON.
MAX_LAST_CHARS = 2_000
# In JSON, and where the caller wants no limit.
MAX_PRINTED_CHARS = 1024 * 1024


def _script(raw: str, env: Surroundings) -> ReadPath | str:
    """Read the word for the script: a file; for a remote caller, or with -, the script itself."""
    return raw if raw == "-" or env.remote else env.read(raw)


def _deadline(values: Mapping[str, Any]) -> float:
    return float(values["timeout"]) + AROUND_S


@command(
    group=Group.SKILLS,
    scope=Scope.CONTROL,
    surfaces=ANYWHERE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    deadline=_deadline,
    mutates=True,
    changes=ChangedTabs.NONE,  # each of its commands is checked as it comes
    reads_stdin=True,
)
async def run(
    ctx: Ctx,
    file: Annotated[ReadPath | str, Param("file", _script, noted=unlogged)] = "-",
    *words: str,
    arg: Args = (),
    out: Annotated[WriteFile | None, Doc("Write the result to this file.")] = None,
    timeout: Seconds = DEFAULT_TIMEOUT_S,
    access: AccessService,
    scripts: ScriptRunsService,
) -> PageText | Text:
    """Run a Python script that works in the browser: many steps in one call.

    Without a file, or with -, the script is read from stdin. It runs in the sandbox of skills, with
    every command as a method of `page`: `page.goto("…")`, `page.click("@e3")`, `page.text("main")`,
    `page.wait(text="Saved")`. `--arg key=value` is in `args`, other words in `sys.argv`. What it
    prints is shown while it runs. Its result is `result`, or else the value of its last line. A
    remote caller sends the script itself instead of a file's name.

    Examples:
        browse run prices.py --arg url=https://shop.example.com/
        browse run - < prices.py
        browse run prices.py --out prices.json --timeout 300s
    """
    check_no_session(ctx)
    if ctx.after:
        raise Usage("run: a script is not run again to go on with its reply", hint="use --out")
    source = await asyncio.to_thread(_source, file, ctx.call.stdin)
    args = _arguments(arg)
    printed = Printed(ctx.room or MAX_PRINTED_CHARS, None if ctx.json else ctx.emit)
    before = await _current_tab(ctx)
    with scripts.one_more(ctx.call.caller.holder):
        try:
            spelled = [word for pair in args.items() for word in ("--arg", "=".join(pair))]
            ended = await _ended(ctx, source, [*spelled, *words], access, before, timeout, printed)
            rest = await printed.finish()
        finally:
            await printed.close()
    await _go_back(ctx, before)
    try:
        told = _checked(ended, timeout, printed.text[-MAX_LAST_CHARS:] if ctx.json else "")
    except BrowseError:
        if rest and not ctx.json:
            await ctx.emit(PageText(rest.removesuffix("\n"), SOURCE))
        raise
    host = await _host(ctx)
    scripts.keep(ctx.call.caller.holder, LastScript(source, args, host))
    return await _reply(ctx, told.result, rest, printed, out)


def _decoded(raw: bytes) -> str:
    if not raw.strip():
        raise Usage(
            "run: there is no script", hint="name a file, or give it on stdin: browse run - < x.py"
        )
    if len(raw) > MAX_SCRIPT_BYTES:
        raise BrowseError(Code.TOO_LARGE, "The script is larger than 1 MiB.", hint="split it")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Usage("run: the script is not UTF-8", hint="save it as UTF-8") from None


def _source(file: ReadPath | str, stdin: bytes) -> str:
    if isinstance(file, str):
        return _decoded(stdin if file == "-" else file.encode())
    return _decoded(file.read(MAX_SCRIPT_BYTES + 1))


def _arguments(given: Sequence[str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in given]
    if wrong := next((key for key, equals, _ in pairs if not (key and equals)), None):
        raise Usage(f"run: --arg {wrong[:60]!r} is not key=value", hint="give --arg name=tea")
    return {key: value for key, _, value in pairs}


async def _current_tab(ctx: Ctx) -> int:
    """Return the tab that the script's commands act on, unless it opens one; 0 for none."""
    if ctx.call.tab_id:
        return ctx.call.tab_id
    try:
        return (await (await ctx.tabs()).current(ctx.call.caller)).id
    except BrowseError:  # an agent that has no tab yet: the script may open one
        return 0


async def _go_back(ctx: Ctx, before: int) -> None:
    """Make the caller's tab its current one again, if the script closed the one that was last."""
    tabs, caller = await ctx.tabs(), ctx.call.caller
    live = {tab.id: tab for tab in tabs.all()}
    if before in live and tabs.leases.of(caller.holder) not in live:
        tabs.switch(caller, live[before])


async def _host(ctx: Ctx) -> str:
    id = await _current_tab(ctx)
    return page_host((await ctx.tabs()).find(id).url) if id else ""


async def _ended(
    ctx: Ctx,
    source: str,
    words: Sequence[str],
    access: Access,
    tab: int,
    limit_s: int,
    printed: Printed,
) -> Ended:
    """Run the script to its end, with a token and a folder of its own."""
    caller = ctx.call.caller
    means = await asyncio.to_thread(sandbox.available)
    if means.means is Means.NOTHING and not caller.is_owner:
        raise BrowseError(
            Code.SURFACE,
            "This machine has no sandbox, so only its owner may run scripts.",
            hint="use commands, or `chain`",
        )
    async with running.scratch_folder(Trust.NONE) as scratch:
        if scratch is None:
            raise RuntimeError("a script that nobody trusts has a folder of its own")
        await asyncio.to_thread(_write, scratch, source)
        terms = Terms(
            f"skill:run:{secrets.token_hex(8)}",
            caller.scopes & (Scope.READ | Scope.WRITE),
            domains=caller.domains,
            tabs=caller.tabs,
            rate=0 if caller.is_owner else access.terms_of(caller.name).rate,
            folders=(str(scratch),),
            behalf=Behalf(caller.holder, caller.owner, caller.surface),
        )
        with token_for(access.tokens, terms, limit_s) as token:
            port = urlsplit(access.local_url).port or 0
            given = {"GSTACK_PORT": str(port), "GSTACK_SKILL_TOKEN": token}
            given |= {"BROWSE_TAB": str(tab)} if tab else {}
            plan = script_runs.plan(scratch, words, given, port)
            return await process.run(plan, limit_s=limit_s, hear=printed.take, by_line=False)


def _write(folder: Path, source: str) -> None:
    (folder / script_runs.SCRIPT).write_text(source, "utf-8")


def _checked(ended: Ended, limit_s: int, last: str) -> ScriptTold:
    """Return what a script told at its end; raise if it failed, with its own line."""
    told = script_runs.told(ended)
    if ended.timed_out:
        message, hint = f"The script did not end within {limit_s} s.", "give --timeout 300s"
        raise _failed(message, hint, told, last, code=Code.TIMEOUT, exit=ended.exit)
    if ended.too_much:
        message, hint = "The result of the script is larger than 1 MiB.", "return less of it"
        raise _failed(message, hint, None, last)
    if told is None:
        number = ended.code or 0
        how = f"by signal {-number}" if number < 0 else f"with exit code {ended.exit}"
        hint = "it may have ended itself, or needed more than 1 GiB of memory"
        message = f"The script ended {how}, without a word."
        raise _failed(message, hint, None, last, exit=ended.exit or 1)
    if told.error:
        at = f" at its line {told.error.line}" if told.error.line else ""
        raise _failed(f"The script failed{at}.", "mend it, and run it again", told, last)
    if told.exit:
        message = f"The script ended itself with exit code {told.exit}."
        raise _failed(message, "what it printed tells more", told, last, exit=told.exit)
    return told


def _failed(
    message: str,
    hint: str,
    told: ScriptTold | None,
    last: str,
    *,
    code: Code = Code.SKILL_FAILED,
    exit: int = 1,
) -> BrowseError:
    error = told.error if told else None
    facts = {"line": error.line, "cause": error.cause} if error else {}
    page = "\n".join(filter(None, [last.rstrip("\n"), error.page if error else ""]))
    return BrowseError(code, message, hint=hint, page=page, facts=facts, exit=exit)


async def _reply(
    ctx: Ctx, result: Any, rest: str, printed: Printed, out: WritePath | None
) -> PageText | Text:
    words = result if isinstance(result, str) else _json(result)
    facts = {"leftOut": printed.left_out, "sandbox": str(sandbox.available())}
    page = from_page(result=None if out else result, printed=printed.text)
    notes = []
    if printed.left_out:
        notes.append(f"[{printed.left_out:,} printed characters left out: print less]")
    if out:
        size = await asyncio.to_thread(write_output, out, _json(result).encode())
        notes.append(f"Result written: {out.real} ({size} bytes)")
        facts |= {"path": out.real, "bytes": size}
        words = ""
    elif len(words) > printed.limit:
        left, total = len(words) - printed.limit, len(words)
        words = words[: printed.limit]
        notes.append(f"[{left:,} of {total:,} characters of the result left out: use --out <file>]")
    if not ctx.json and len(rest) + len(words) > printed.limit:  # too long for one envelope
        await ctx.emit(PageText(rest.removesuffix("\n"), SOURCE))
        rest = ""
    shown = "\n".join(filter(None, [rest.removesuffix("\n"), words]))
    note = "\n".join(notes)
    if shown:
        return PageText(shown, SOURCE, {**facts, **page}, note=note)
    done = "" if printed.text else "The script ended. It printed nothing and has no result."
    return Text("\n".join(filter(None, [done, note])), {**facts, **page})


def _json(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, deadline=2 * AROUND_S, mutates=True)
async def skill_save(
    ctx: Ctx, name: Name, *, project: InProject = False, scripts: ScriptRunsService
) -> Text:
    """Keep the script that you ran last as a skill.

    It is the script of the last `browse run` that ended without an error; its arguments become
    those of the skill, with the same values unless they look like secrets.

    Examples:
        browse skill save price-list
        browse skill save price-list --project
    """
    tier = tier_of(project=project)
    files = files_of(name, scripts.last(ctx.call.caller.holder))
    paths = Paths.of(ctx.settings)
    staged = await asyncio.to_thread(staging.stage, paths, name, files)
    try:
        passed = await tested(ctx, read_skill(staged, tier))
        root = installed_skills(ctx).roots[tier]
        place = await asyncio.to_thread(staging.commit, staged, root, tier)
    except BaseException:
        staging.discard(staged)
        raise
    return Text(
        f'Made "{name}" (tier {tier}) → {place}\n{counted(passed, "test")} passed.\n'
        f"Next: say in SKILL.md what it gives, then `browse skill run {name}`",
        {"skill": name, "tier": tier, "folder": str(place), "passed": passed},
    )
