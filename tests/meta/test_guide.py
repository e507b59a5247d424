"""The guide for agents is short and names every command that an agent can use."""

import re
from pathlib import Path

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse import _exit
from browse.client import _help
from browse.registry.spec import declared

GUIDE = (Path(__file__).parents[2] / "skills/browse/SKILL.md").read_text("utf-8")
MAX_BYTES = 8_500


def test_guide_is_short():
    assert len(GUIDE.encode()) < MAX_BYTES


def test_guide_begins_with_name_and_description():
    assert re.match(r"---\nname: browse\ndescription: \S.*\n---\n", GUIDE)


@pytest.mark.parametrize(
    "name", sorted({spec.command for spec in declared() if not spec.runs_here})
)
def test_guide_names_command(name: str):
    assert re.search(rf"`{re.escape(name)}[` ]", GUIDE)


def test_guide_names_every_flag_of_a_snapshot():
    part = GUIDE.partition("**Snapshot**")[2].partition("**")[0]

    (snapshot,) = [spec for spec in declared() if spec.name == "snapshot"]
    forms = {f"-{arg.doc.short}" if arg.doc.short else arg.spelled for arg in snapshot.flags}
    assert set(re.findall(r"`(-[\w-]+)[` ]", part)) == forms


def test_guide_names_every_exit_code():
    line = next(line for line in GUIDE.splitlines() if "Exit codes:" in line)

    assert [int(number) for number in re.findall(r"\b\d+\b", line)] == sorted(_exit.MEANING)


def test_help_prints_the_same_guide():
    assert _help.AGENT == GUIDE
