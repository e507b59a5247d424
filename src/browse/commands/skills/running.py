"""`skill run` and `skill test`."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from browse.auth.terms import TabPolicy, Terms
from browse.auth.tokens import Kind
from browse.commands.skills.asked import Asked, shelf_of
from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.results import Relayed, Text, from_page
from browse.skills import arguments, running, sandbox
from browse.skills.process import Ended, Hear
from browse.skills.shelf import Skill

TEST_S = 60.0
# A token outlives the script's time by so much, in case the end takes a while.
SPARE_S = 30.0


async def run(ctx: Ctx, asked: Asked) -> Relayed:
    """Run a skill and print the JSON document that it prints."""
    if ctx.call.session:
        raise Usage(
            "skill run: a skill has no named session", hint="leave out --session and BROWSE_SESSION"
        )
    skill = shelf_of(ctx).find(asked.name)
    values = arguments.check(skill, asked.args)
    words = [*arguments.words(values), *asked.words]
    port = urlsplit(ctx.parts.doors.local_url).port or 0
    given = {"GSTACK_PORT": str(port), "BROWSE_TAB": str(await _tab(ctx))}
    (await ctx.tabs()).prepare()  # most scripts open a tab, once Python has started
    async with running.scratch_of(skill) as scratch:
        with _token(ctx, skill, asked.timeout_s, scratch) as token:
            ended = await running.run(
                skill,
                words,
                {**given, "GSTACK_SKILL_TOKEN": token},
                scratch=scratch,
                port=port,
                limit_s=asked.timeout_s,
                hear=_hear(ctx, skill),
            )
    with _telling(ctx, ended):
        text, output = running.document(skill, ended, asked.timeout_s)
    facts: dict[str, Any] = {"skill": skill.name, "tier": skill.tier, "sandbox": _confined(skill)}
    return Relayed(text, {**facts, **from_page(output=output, log=list(ended.log))})


@contextmanager
def _token(ctx: Ctx, skill: Skill, limit_s: float, scratch: Path | None) -> Iterator[str]:
    """Make a token for one run, which ends with it, whatever happens.

    What an untrusted script cannot read by itself, it cannot have the browser read for it either.
    """
    tokens = ctx.parts.doors.tokens
    terms = Terms(
        f"skill:{skill.name}:{secrets.token_hex(8)}",
        Scope.READ | Scope.WRITE,
        tabs=TabPolicy.SHARED,
        rate=0,
        folders=(str(scratch),) if scratch else None,
    )
    issued = tokens.issue(Kind.SKILL, terms, life_s=limit_s + SPARE_S)
    try:
        yield issued.token
    finally:
        tokens.revoke(terms.client)


async def _tab(ctx: Ctx) -> int:
    """Tell the tab that the script's commands act on, unless it opens one: the caller's."""
    return ctx.call.tab_id or (await (await ctx.tabs()).current(ctx.call.caller)).id


def _hear(ctx: Ctx, skill: Skill) -> Hear:
    async def hear(line: str) -> None:
        # Marked, because the words may be a page's: no such line can pass for one of ours.
        if not ctx.json:
            await ctx.note(Text(f"[{skill.name}] {line}"))

    return hear


@contextmanager
def _telling(ctx: Ctx, ended: Ended) -> Iterator[None]:
    """Put the script's last words into an error, for a caller that has not heard them."""
    try:
        yield
    except BrowseError as exc:
        exc.page = "\n".join(ended.log) if ctx.json else ""
        raise


def _confined(skill: Skill) -> str:
    return "off: trusted" if skill.about.trusted else str(sandbox.available())


async def test(ctx: Ctx, asked: Asked) -> Text:
    """Run the tests of a skill, without the browser."""
    skill = shelf_of(ctx).find(asked.name)
    passed = await tested(ctx, skill)
    return Text(
        f'Skill "{skill.name}" ({skill.tier}): {passed} tests passed.',
        {"skill": skill.name, "tier": skill.tier, "passed": passed},
    )


async def tested(ctx: Ctx, skill: Skill) -> int:
    """Run the tests of a skill; tell how many passed, if all did."""
    ended = await running.test(skill, limit_s=TEST_S, hear=_hear(ctx, skill))
    with _telling(ctx, ended):
        return running.tests_passed(skill, ended, TEST_S)
