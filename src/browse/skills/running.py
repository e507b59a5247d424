"""Run a skill: what its script is started with, and what counts as success."""

import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from browse.core.errors import BrowseError, Code
from browse.core.paths import temp_folder
from browse.skills import contents, environment, launcher, process, runtimes, sandbox
from browse.skills.installed import Skill
from browse.skills.process import MAX_OUTPUT_BYTES, Ended, Hear, Plan
from browse.skills.runtimes import Program
from browse.skills.sandbox import Bounds, Means
from browse.skills.trust import Trust

NO_PORT = 1
_TOLD = re.compile(r"\s*([0-9]{1,6}) (pass|fail)")


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
        await asyncio.to_thread(launcher.remove, str(scratch))


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
    program = await asyncio.to_thread(runtimes.of_script, skill, words)
    means = await asyncio.to_thread(sandbox.available)
    if scratch and means.means is Means.NOTHING:
        await hear(f"(sandbox: {means})")
    plan = _plan(skill, program, given, scratch, port)
    return await process.run(plan, limit_s=limit_s, hear=hear)


def _plan(
    skill: Skill,
    program: Program,
    given: Mapping[str, str],
    scratch: Path | None,
    port: int,
) -> Plan:
    environ = environment.of_script(environment.of_daemon(), given, scratch=scratch)
    folder = skill.folder.resolve()
    if scratch is None:
        return Plan((), program.words, folder, environ)
    bounds, means = Bounds(folder, scratch, port, program.files), sandbox.available()
    words = sandbox.wrapped(means, bounds, program.words)
    return Plan(sandbox.arguments(means, bounds), words, folder, {**environ, **program.environ})


async def test(skill: Skill, trust: Trust, *, limit_s: float, hear: Hear) -> Ended:
    """Run a skill's tests: without a daemon, and in the sandbox unless it is trusted."""
    await asyncio.to_thread(contents.check_owner, skill)
    program = await asyncio.to_thread(runtimes.of_tests, skill)
    await asyncio.to_thread(sandbox.available)
    async with scratch_folder(trust) as scratch:
        # Allowed only a port that nobody listens on: tests need no browser.
        plan = _plan(skill, program, {}, scratch, NO_PORT)
        return await process.run(plan, limit_s=limit_s, hear=hear)


def tests_passed(skill: Skill, ended: Ended, limit_s: float) -> int:
    """Return how many tests passed; raise if one failed, or if there is none."""
    if ended.timed_out:
        raise _failed(skill, ended, f"its tests took longer than {limit_s:.0f}s", code=Code.TIMEOUT)
    try:
        passed, failed = _counted(ended)
    except (ValueError, KeyError, TypeError):
        raise _failed(skill, ended, f"its tests cannot be run ({_end(ended.code)})") from None
    if failed or not passed:
        reason = f"{failed} of {passed + failed} tests failed" if failed else "it has no tests"
        raise _failed(skill, ended, reason)
    return passed


def _counted(ended: Ended) -> tuple[int, int]:
    """Read how many tests passed and failed: as JSON of ours, or as bun tells it."""
    told = {found[2]: int(found[1]) for line in ended.log if (found := _TOLD.fullmatch(line))}
    if told:
        return told["pass"], told["fail"]
    last = json.loads(ended.output.decode().strip().rpartition("\n")[2])
    return int(last["passed"]), int(last["failed"])


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
