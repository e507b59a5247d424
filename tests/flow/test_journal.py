"""The journal keeps what was done, in memory and in its file, and asks the page only afterwards."""

import json
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

import browse.commands  # noqa: F401 - the real declarations are what is kept
from browse.auth.caller import ROOT, Caller
from browse.browser.elements.fingerprints import Touched
from browse.core.errors import BrowseError, Code
from browse.core.journal import Journal
from browse.core.scopes import Scope
from browse.flow.journal import Done, FlowJournal
from browse.flow.steps import HIDDEN, Step
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared
from browse.registry.table import Table
from support.fakes import a_caller

TABLE = Table(declared())
HERE = Surroundings("/tmp", Roots.of("/tmp"))
PASSWORD = Touched("textbox", "Password", "input", "#pw", (), True)


class Gone:
    """A tab whose page cannot be asked."""

    def __init__(self, id: int = 1, url: str = "http://a.test/?token=abcdef123") -> None:
        self.id = id
        self.url = url
        self.closed = False
        self.touched: dict[str, Touched] | None = None

    @property
    def frame(self) -> object:
        raise BrowseError(Code.TAB_CLOSED, "gone", hint="")


def words(*typed: str) -> Bound:
    spec, rest = TABLE.split(typed)
    return bind(spec, rest, HERE)


async def done(
    journal: FlowJournal,
    *typed: str,
    tab: Any = None,
    caller: Caller = ROOT,
    touched: Touched | None = None,
    error: str = "",
) -> None:
    at: Any = tab or Gone()
    async with journal.visit(at, caller) as visit:
        if touched and at.touched is not None:
            at.touched[typed[1]] = touched
    assert visit
    journal.add(visit, Done(words(*typed), None, error))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(path: Path) -> FlowJournal:
    return FlowJournal(Journal(path))


async def test_steps_are_kept_in_memory_and_in_a_private_file(journal, path):
    await done(journal, "goto", "http://a.test/")
    await done(journal, "click", "#buy", error="no-match")
    await journal.close()

    steps = journal.steps(1)
    assert [(step.number, step.command, step.error) for step in steps] == [
        (1, "goto", ""),
        (2, "click", "no-match"),
    ]
    lines = path.read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=Step).number for line in lines] == [1, 2]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {json.loads(line)["run"] for line in lines} == {steps[0].run}


async def test_secrets_are_neither_in_memory_nor_in_the_file(journal, path):
    await done(journal, "fill", "#pw", "hunter2x", touched=PASSWORD)
    await journal.close()

    (step,) = journal.steps(1)
    assert step.words == ("#pw", HIDDEN)
    assert step.targets["target"].secret
    assert "hunter2x" not in path.read_text()
    assert "abcdef123" not in path.read_text()


async def test_what_was_typed_in_vain_is_not_kept(journal):
    await done(journal, "fill", "#gone", "hunter2x", error="no-match")
    await journal.close()

    assert journal.steps(1)[0].words == ("#gone", HIDDEN)


async def test_target_is_told_by_the_parameter_that_meant_it(journal):
    link = Touched("link", "Tea", "a", "a.tea", ("#inner",), False)

    await done(journal, "click", "@e3", touched=link)

    target = journal.steps(1)[0].targets["target"]
    assert (target.word, target.role, target.css, target.frame) == (
        "@e3",
        "link",
        "a.tea",
        ("#inner",),
    )
    await journal.close()


async def test_what_others_do_in_a_tab_is_not_the_owners(journal):
    await done(journal, "click", "#a")
    await done(journal, "click", "#b", caller=a_caller(Scope.WRITE, name="codex"))
    await journal.close()

    assert [step.words for step in journal.steps(1)] == [("#a",)]
    assert [step.words for step in journal.steps(1, "codex")] == [("#b",)]


async def test_journal_without_a_file_keeps_nothing():
    off = FlowJournal(None)
    tab: Any = Gone()

    async with off.visit(tab, ROOT) as visit:
        assert tab.touched is None, "then nobody need find out how to find an element again"

    assert visit is None
    await off.close()
