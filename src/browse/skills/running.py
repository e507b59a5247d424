"""Run a skill: what its script is started with, and what counts as success."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from browse.core.errors import BrowseError, Code
from browse.core.paths import temp_folder
from browse.skills import contents, environment, process, run_tests, sandbox
from browse.skills.installed import Skill
from browse.skills.process import MAX_OUTPUT_BYTES, Ended, Hear, Plan
from browse.skills.sandbox import Bounds, Means
from browse.skills.trust import Trust

# Ignore variables, user packages and site-packages; write no compiled files beside the script.
FLAGS = ("-E", "-s", "-S", "-B")
NO_PORT = 1


@asynccontextmanager
async def scratch_folder(trust: Trust) -> AsyncIterator[Path | None]:
    """Create a folder that an untrusted script may write to while it runs."""
    if trust is Trust.GIVEN:
        yield None
        return
    temp = str(temp_folder().resolve())
    scratch = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="browse-skill-", dir=temp))
    try:
        yield scratch
    finally:
        await asyncio.to_thread(shutil.rmtree, scratch, ignore_errors=True)


async def run(
    skill: Skill,
    words: Sequence[str],
    given: Mapping[str, str],
    *,
    scratch: Path | None,
    port: int,
    limit_s: float,
    hear: Hear,
) -> Ended:
    """Run a skill's script with these words and variables; without a folder, it is trusted."""
    await asyncio.to_thread(contents.check_owner, skill)
    if not skill.script.is_file():
        raise BrowseError(
            Code.SKILL_INVALID,
            f'Skill "{skill.name}" has no {skill.script.name} at {skill.folder}.',
            hint="write one, or make it anew: browse skill new",
        )
    program = [sandbox.python(), *FLAGS, str(skill.script), *words]
    means = await asyncio.to_thread(sandbox.available)
    if scratch and means.means is Means.NOTHING:
        await hear(f"(sandbox: {means})")
    plan = _plan(skill, program, given, scratch, port)
    return await process.run(plan, limit_s=limit_s, hear=hear)


def _plan(
    skill: Skill,
    program: Sequence[str],
    given: Mapping[str, str],
    scratch: Path | None,
    port: int,
    also: tuple[str, ...] = (),
) -> Plan:
    environ = environment.of_script(environment.of_daemon(), given, scratch=scratch)
    folder = skill.folder.resolve()
    if scratch is None:
        return Plan((), program, folder, environ)
    bounds, means = Bounds(folder, scratch, port, also), sandbox.available()
    options, words = sandbox.arguments(means, bounds), sandbox.wrapped(means, bounds, program)
    return Plan(options, words, folder, environ)


async def test(skill: Skill, trust: Trust, *, limit_s: float, hear: Hear) -> Ended:
    """Run a skill's tests: without a daemon, and in the sandbox unless it is trusted."""
    await asyncio.to_thread(contents.check_owner, skill)
    if not (skill.folder / f"{run_tests.TESTS}.py").is_file():
        raise BrowseError(
            Code.SKILL_INVALID,
            f'Skill "{skill.name}" has no {run_tests.TESTS}.py at {skill.folder}.',
            hint="write tests: plain functions named test_…, on the pages in fixtures/",
        )
    # Allowed only a port that nobody listens on: tests need no browser.
    program = [sandbox.python(), *FLAGS, run_tests.__file__, str(skill.folder.resolve())]
    await asyncio.to_thread(sandbox.available)
    async with scratch_folder(trust) as scratch:
        plan = _plan(skill, program, {}, scratch, NO_PORT, also=(run_tests.__file__,))
        return await process.run(plan, limit_s=limit_s, hear=hear)


def tests_passed(skill: Skill, ended: Ended, limit_s: float) -> int:
    """Return how many tests passed; raise if one failed, or if there is none."""
    if ended.timed_out:
        raise _failed(skill, ended, f"its tests took longer than {limit_s:.0f}s", code=Code.TIMEOUT)
    try:
        last = json.loads(ended.output.decode().strip().rpartition("\n")[2])
        passed, failed = int(last["passed"]), int(last["failed"])
    except (ValueError, KeyError, TypeError):
        raise _failed(skill, ended, f"its tests cannot be run ({_end(ended.code)})") from None
    if failed or not passed:
        reason = f"{failed} of {passed + failed} tests failed" if failed else "it has no tests"
        raise _failed(skill, ended, reason)
    return passed


def document(skill: Skill, ended: Ended, limit_s: float) -> tuple[str, Any]:
    """Return the one JSON document that a script must print; raise for anything else."""
    if ended.timed_out:
        raise _failed(skill, ended, f"timed out after {limit_s:.0f}s", code=Code.TIMEOUT)
    if ended.too_much:
        raise _failed(skill, ended, f"truncated stdout at {MAX_OUTPUT_BYTES} bytes", exit=1)
    if ended.code != 0:
        raise _failed(skill, ended, _end(ended.code))
    try:
        text = ended.output.decode().strip()
        return text, json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        what = "something else" if ended.output.strip() else "nothing"
        reason = f"printed {what} where one JSON document is expected"
        raise _failed(skill, ended, reason, exit=1) from None


def truncated(ended: Ended) -> str:
    """Return the part of too much output that is passed on: no document any more, but words."""
    return ended.output[:MAX_OUTPUT_BYTES].decode("utf-8", "ignore") if ended.too_much else ""


def _end(code: int | None) -> str:
    if code is None:
        return "it was ended from outside"
    return f"exit {code}" if code >= 0 else f"ended by signal {-code}"


def _refuse(_: str) -> None:
    raise ValueError("not JSON")


def _failed(
    skill: Skill,
    ended: Ended,
    reason: str,
    *,
    code: Code = Code.SKILL_FAILED,
    exit: int | None = None,
) -> BrowseError:
    hint = "give it longer with --timeout" if code is Code.TIMEOUT else "its stderr tells more"
    return BrowseError(
        code,
        f'Skill "{skill.name}" ({skill.tier}) failed: {reason}.',
        hint=f"{hint}; its script: {skill.script}",
        exit=ended.exit if exit is None else exit,
    )
