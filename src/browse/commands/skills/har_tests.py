"""Run a skill's script in the browser, with the HAR files of its fixtures as the network."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from browse.core.errors import BrowseError, Code, Usage
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.files import ReadPath, Roots, check_read
from browse.skills.installed import Skill

FIXTURES = "fixtures"
MAX_EXPECTED_BYTES = 1_048_576

Document = Callable[[], Awaitable[Any]]


async def replayed(ctx: Ctx, skill: Skill, document: Document) -> int:
    """Run the script once for each HAR file; return how many. What it prints must be as expected.

    What is expected is in the file of the same name that ends in `.json`, if there is one.
    """
    files = sorted((skill.folder / FIXTURES).glob("*.har"))
    if not files:
        raise Usage(
            f'skill test --har: "{skill.name}" has no .har file in {FIXTURES}/',
            hint=f"record one: browse har record {FIXTURES}/<name>.har",
        )
    har = (await ctx.tabs()).har
    for file in files:
        replay = await har.replay(_checked(skill, file), strict=True)
        try:
            found = await document()
        except BrowseError as exc:
            missing = counted(replay.missed, "request")
            exc.hint += f"; {file.name} was the network, and it did not have {missing}"
            raise
        finally:
            await har.stop_replay()
        _compare(skill, file.with_suffix(".json"), found)
    return len(files)


def _checked(skill: Skill, path: Path) -> ReadPath:
    """Check a file of the skill: nothing that a link leads to outside of its folder."""
    return check_read(str(path), cwd="/", roots=Roots.of(str(skill.folder)))


def _compare(skill: Skill, path: Path, found: Any) -> None:
    if not path.exists():
        return
    try:
        expected = json.loads(_checked(skill, path).read(MAX_EXPECTED_BYTES))
    except ValueError:
        expected = None
    if found != expected:
        raise BrowseError(
            Code.SKILL_FAILED,
            f'Skill "{skill.name}" ({skill.tier}) failed: with {path.stem}.har, it does not print '
            f"what {FIXTURES}/{path.name} has.",
            hint=f"see what it prints: browse har replay {path.with_suffix('.har')}, "
            f"then browse skill run {skill.name}",
        )
