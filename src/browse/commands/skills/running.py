"""`skill run` and `skill test`."""

import asyncio
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from browse.auth.terms import TabPolicy, Terms
from browse.auth.tokens import TokenKind, Tokens
from browse.commands.skills import AROUND_S, SKILL, Args, Name, decisions, installed_skills
from browse.commands.skills.har_tests import Document, replayed
from browse.commands.skills.listing import remarks
from browse.core.errors import BrowseError, Usage
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.access import Access
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.guard.secret_input import secrets_in
from browse.guard.stand_ins import STAND_INS
from browse.registry.params import Doc, Param, Surroundings
from browse.registry.results import SkillOutput, Text
from browse.registry.spec import Lane, command
from browse.skills import arguments, running, sandbox, staging
from browse.skills.installed import Skill, Tier, read_skill
from browse.skills.process import Ended, Hear
from browse.skills.trust import Trust

DEFAULT_TIMEOUT_S = 60
MAX_TIMEOUT_S = 3600
TEST_S = 60.0
# With a few HAR files to replay.
MAX_TEST_S = 5 * TEST_S + AROUND_S
# How much longer a token is valid than the script may run, in case ending it takes a while.
SPARE_S = 30.0


def _seconds(raw: str, _: Surroundings) -> int:
    found = re.fullmatch(r"([0-9]{1,4})s?", raw.strip())
    if not found or not 1 <= int(found[1]) <= MAX_TIMEOUT_S:
        raise Usage(
            f"{raw[:40]!r} is not a time from 1s to {MAX_TIMEOUT_S}s", hint="give 90s, for instance"
        )
    return int(found[1])


Seconds = Annotated[
    int,
    Param("seconds", _seconds),
    Doc(f"Stop the script after this time; default {DEFAULT_TIMEOUT_S}s."),
]


def _keyed(raw: str, _: Surroundings) -> str:
    key, equals, name = raw.partition("=")
    if not (key and equals and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)):
        raise Usage(
            f"{raw[:60]!r} is not an argument, = and a variable",
            hint="give it as password=SHOP_PASSWORD",
        )
    return key


def _deadline(values: Mapping[str, Any]) -> float:
    return float(values["timeout"]) + AROUND_S


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, deadline=_deadline, mutates=True)
async def skill_run(
    ctx: Ctx,
    name: Name,
    *words: str,
    arg: Args = (),
    secret_env: Annotated[
        tuple[Annotated[str, Param("key=NAME", _keyed)], ...],
        Doc("An argument whose value is in this variable: the script can type it, not read it."),
    ] = (),
    secret_stdin: Annotated[
        str, Doc("The argument whose value comes on stdin, as above.", metavar="key")
    ] = "",
    timeout: Seconds = DEFAULT_TIMEOUT_S,
    access: AccessService,
) -> SkillOutput:
    """Run a skill: print its JSON document, and end with its exit code.

    The exit code is 124 on a timeout. The script's stderr is shown while it runs. The script gets
    its own token, which may read and act but not run JavaScript or see cookies, and runs in a
    sandbox unless you trusted it (`skill trust`). Words after `--` are passed to the script.

    Examples:
        browse skill run hackernews-frontpage
        browse skill run github-releases --arg repository=python/cpython --timeout 90s
        browse skill run shop-orders --secret-env password=SHOP_PASSWORD
    """
    check_no_session(ctx)
    skill = installed_skills(ctx).find(name)
    trust = await asyncio.to_thread(decisions(ctx).trust_of, skill)
    await _remark(ctx, skill, trust)
    keys = [*secret_env, *filter(None, [secret_stdin])]
    values = secrets_in(ctx.call.stdin, len(keys)) if keys else []
    with STAND_INS.lent(dict(zip(keys, values, strict=True))) as lent:
        stand_ins = [f"{key}={word}" for key, word in lent.items()]
        given = [*arguments.words(arguments.check(skill, [*arg, *stand_ins])), *words]
        ended = await _ended(ctx, skill, trust, given, access, timeout)
    facts = {"skill": skill.name, "tier": skill.tier, "shadows": list(skill.shadows)}
    if (part := running.truncated(ended)) and not ctx.json:
        await ctx.emit(SkillOutput(part, part, (), facts))
    with _telling(ctx, ended):
        text, output = running.document(skill, ended, timeout)
    return SkillOutput(
        text, output, ended.log, {**facts, "trust": trust, "sandbox": _confined(trust)}
    )


def check_no_session(ctx: Ctx) -> None:
    """Raise if a session is named: the token of a script is not for one."""
    if ctx.call.session:
        raise Usage("a script has no named session", hint="leave out --session and BROWSE_SESSION")


async def _ended(
    ctx: Ctx,
    skill: Skill,
    trust: Trust,
    words: Sequence[str],
    access: Access,
    limit_s: int,
) -> Ended:
    """Run the script to its end, with a token and a folder of its own."""
    port = urlsplit(access.local_url).port or 0
    around = {"GSTACK_PORT": str(port), "BROWSE_TAB": str(await _tab(ctx))}
    (await ctx.tabs()).pages.prepare()  # most scripts open a tab, once Python has started
    async with running.scratch_folder(trust) as scratch:
        with token_for(access.tokens, _terms(skill, scratch), limit_s) as token:
            return await running.run(
                skill,
                words,
                {**around, "GSTACK_SKILL_TOKEN": token},
                scratch=scratch,
                port=port,
                limit_s=limit_s,
                hear=_hear(ctx, skill),
            )


async def _remark(ctx: Ctx, skill: Skill, trust: Trust) -> None:
    """Tell on stderr what the caller may not expect of the skill that is about to run."""
    for line in remarks(skill, trust):
        if not ctx.json:
            await ctx.note(Text(f"({line})"))


def _terms(skill: Skill, scratch: Path | None) -> Terms:
    """Return what a skill may do; an untrusted one cannot read files through the browser either."""
    return Terms(
        f"skill:{skill.name}:{secrets.token_hex(8)}",
        Scope.READ | Scope.WRITE,
        tabs=TabPolicy.SHARED,
        rate=0,
        folders=(str(scratch),) if scratch else None,
    )


@contextmanager
def token_for(tokens: Tokens, terms: Terms, limit_s: float) -> Iterator[str]:
    """Create a token for one run, and revoke it after the run, however that ends."""
    issued = tokens.issue(TokenKind.SKILL, terms, life_s=limit_s + SPARE_S)
    try:
        yield issued.token
    finally:
        tokens.revoke(terms.client)


async def _tab(ctx: Ctx) -> int:
    """Return the tab that the script's commands act on, unless it opens one: the caller's."""
    return ctx.call.tab_id or (await (await ctx.tabs()).current(ctx.call.caller)).id


def _hear(ctx: Ctx, skill: Skill) -> Hear:
    async def hear(line: str) -> None:
        # With a prefix, because they may be page words: no line can look like one of ours.
        if not ctx.json:
            await ctx.note(Text(f"[{skill.name}] {line}"))

    return hear


@contextmanager
def _telling(ctx: Ctx, ended: Ended) -> Iterator[None]:
    """Add the script's last lines to an error, for a caller that does not see its stderr."""
    try:
        yield
    except BrowseError as exc:
        exc.page = "\n".join(ended.log) if ctx.json else ""
        raise


def _confined(trust: Trust) -> str:
    return "off: trusted" if trust is Trust.GIVEN else str(sandbox.available())


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, deadline=MAX_TEST_S)
async def skill_test(
    ctx: Ctx,
    name: Name,
    *,
    staged: Annotated[bool, Doc("Test the one that waits for approval.")] = False,
    har: Annotated[
        bool, Doc("Also run the script, with each fixtures/*.har in place of the network.")
    ] = False,
    arg: Args = (),
    access: AccessService,
) -> Text:
    """Run the tests of a skill, without the browser.

    With --har, the script itself runs too, in the browser. It must print the document that is in
    the .json file beside the .har file, if there is one. Meanwhile no tab has the network.

    Examples:
        browse skill test hackernews-frontpage
        browse skill test price-list --staged
        browse skill test price-list --har
    """
    skill = _staged(ctx, name) if staged else installed_skills(ctx).find(name)
    passed = await tested(ctx, skill)
    facts = {"skill": skill.name, "tier": skill.tier, "passed": passed}
    said = f'Skill "{skill.name}" ({skill.tier}): {counted(passed, "test")} passed'
    if not har:
        return Text(f"{said}.", facts)
    count = await replayed(ctx, skill, _with_har(ctx, skill, arg, access))
    files = counted(count, "HAR file")
    return Text(f"{said}, and its script with {files}.", {**facts, "replayed": count})


def _with_har(ctx: Ctx, skill: Skill, arg: Sequence[str], access: Access) -> Document:
    check_no_session(ctx)
    words = arguments.words(arguments.check(skill, arg))

    async def document() -> Any:
        trust = await asyncio.to_thread(decisions(ctx).trust_of, skill)
        ended = await _ended(ctx, skill, trust, words, access, DEFAULT_TIMEOUT_S)
        with _telling(ctx, ended):
            return running.document(skill, ended, DEFAULT_TIMEOUT_S)[1]

    return document


def _staged(ctx: Ctx, name: str) -> Skill:
    return read_skill(staging.staged(Paths.of(ctx.settings), name), Tier.GLOBAL)


async def tested(ctx: Ctx, skill: Skill) -> int:
    """Run the tests of a skill; return how many passed, if all did."""
    trust = await asyncio.to_thread(decisions(ctx).trust_of, skill)
    ended = await running.test(skill, trust, limit_s=TEST_S, hear=_hear(ctx, skill))
    with _telling(ctx, ended):
        return running.tests_passed(skill, ended, TEST_S)
