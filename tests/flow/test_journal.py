"""The journal keeps what was done, in memory and in its file, and asks the page only afterwards."""

import json
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest

import browse.commands  # noqa: F401 - the real declarations are what is kept
from browse.auth.caller import ROOT, Caller
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.page.shapes import Sketch
from browse.core.errors import BrowseError, Code
from browse.core.log_file import LogFile
from browse.core.scopes import Scope
from browse.flow.journal import FinishedCommand, FlowJournal
from browse.flow.steps import HIDDEN, Step
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared
from browse.registry.table import CommandTable
from support.fakes import a_caller

TABLE = CommandTable(declared())
HERE = Surroundings("/tmp", Roots.of("/tmp"))
PASSWORD = ElementFingerprint("textbox", "Password", "input", "#pw", (), True)


class Gone:
    """A tab whose page cannot be asked."""

    def __init__(self, id: int = 1, url: str = "http://a.test/?token=abcdef123") -> None:
        self.id = id
        self.url = url
        self.closed = False

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
    found: ElementFingerprint | None = None,
    error: str = "",
) -> None:
    at: Any = tab or Gone()
    async with journal.visit(at, caller) as visit:
        assert visit
        if found:
            visit.found[typed[1]] = found
    journal.add(visit, FinishedCommand(words(*typed), None, error))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(path: Path) -> FlowJournal:
    return FlowJournal(LogFile(path))


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
    await done(journal, "fill", "#pw", "hunter2x", found=PASSWORD)
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
    link = ElementFingerprint("link", "Tea", "a", "a.tea", ("#inner",), False)

    await done(journal, "click", "@e3", found=link)

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
        assert visit is None
    await off.close()


class Looks:
    """Looks at a page that is another one each time."""

    def __init__(self) -> None:
        self.count = 0

    async def __call__(self, _: object, *, most_html: int) -> Sketch:
        self.count += 1
        return Sketch("", f"sketch {self.count}", "")


@pytest.fixture
def looks() -> Looks:
    return Looks()


@pytest.fixture
def looking(path: Path, looks: Looks) -> FlowJournal:
    return FlowJournal(LogFile(path), looks)


async def test_a_step_that_only_asks_spares_the_next_one_the_look(looking, path, looks):
    await done(looking, "click", "#a")
    await looking.settled(1)
    await done(looking, "snapshot")
    await done(looking, "click", "#b")
    await looking.settled(1)
    await looking.close()

    clicked, asked, again = looking.steps(1)
    assert looks.count == 2
    assert asked.after == clicked.after
    assert (again.before.sketch, again.after.sketch) == ("sketch 1", "sketch 2")
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.parametrize("words", [("click", "#a"), ("goto", "http://a.test/"), ("wait", "#b")])
async def test_a_step_that_may_change_the_page_is_looked_at(looking, words):
    await done(looking, "click", "#a")
    await looking.settled(1)
    await done(looking, *words)
    await done(looking, "snapshot")
    await looking.settled(1)

    assert looking.steps(1)[1].after.sketch == "sketch 2"


async def test_a_step_that_only_asks_is_looked_at_where_nothing_is_known_yet(looking):
    await done(looking, "snapshot")
    await done(looking, "snapshot")
    await looking.settled(1)

    assert looking.steps(1)[0].after.sketch == "sketch 1"
