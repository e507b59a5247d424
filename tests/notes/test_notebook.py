"""Notes in use: shown, weighed every time, believed or sent back."""

import pytest

from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.guard.sites import Sites
from browse.notes.note import State
from browse.notes.notebook import MAX_SHOWN_CHARS, Notebook
from browse.notes.suggestion import Suggestion

HOST = "example.com"


class Scorer:
    """A score that a test sets."""

    def __init__(self) -> None:
        self.score = 0.0
        self.asked: list[str] = []

    def __call__(self, text: str) -> float:
        self.asked.append(text)
        return self.score


@pytest.fixture
def paths(tmp_path) -> Paths:
    (tmp_path / "project" / ".gstack").mkdir(parents=True)
    return Paths(tmp_path / "project" / ".gstack" / "browse.json", tmp_path / "home")


@pytest.fixture
def scorer() -> Scorer:
    return Scorer()


@pytest.fixture
def book(paths, scorer) -> Notebook:
    return Notebook(paths, Sites(), score=scorer)


async def save(book: Notebook, body: str = "words\n", **changes):
    return await book.save(HOST, body, **{"source": "agent", "everywhere": False, **changes})


async def test_three_showings_make_a_note_active(book):
    await save(book)

    states = [(await book.offer(HOST)).stored.note.state for _ in range(4)]

    assert states == [State.QUARANTINED, State.QUARANTINED, State.ACTIVE, State.ACTIVE]
    assert book.project.get(HOST).uses == 4


async def test_looking_is_no_use(book):
    await save(book)

    for _ in range(5):
        assert (await book.open(HOST)).text == "words"

    assert book.project.get(HOST).uses == 0


async def test_a_note_is_weighed_every_time_it_is_shown(book, scorer):
    await save(book)
    for _ in range(3):
        await book.offer(HOST)
    scorer.score = 0.85

    page = await book.offer(HOST)

    note = book.project.get(HOST)
    assert (page.stored, page.flagged, page.text) == (None, ("project",), "")
    assert (note.state, note.uses, note.flags, note.score) == (State.QUARANTINED, 0, 1, 0.85)
    assert len(scorer.asked) == 5


async def test_words_that_score_high_are_not_saved(book, scorer):
    scorer.score = 0.85

    with pytest.raises(BrowseError, match="Save failed: it reads like instructions"):
        await save(book)

    assert not book.knows(HOST)
    scorer.score = 0.84
    assert (await save(book)).score == 0.84


async def test_an_address_on_the_blocklist_is_a_flag(paths, book):
    host = next(iter(Sites().blocklist._built_in))
    body = f"see https://{host}/x\n"

    with pytest.raises(BrowseError, match="blocklist"):
        await save(book, body)
    book.project.save(HOST, body, source="human", score=0.0)
    assert (await book.offer(HOST)).flagged == ("project",)
    unfiltered = Notebook(paths, Sites(filter="off"))
    assert (await unfiltered.offer(HOST)).flagged == ()


async def test_a_projects_note_hides_that_of_all(book):
    await save(book, "of all\n", everywhere=True)
    await save(book, "of this\n")

    page = await book.offer(HOST)

    assert (page.stored.scope, page.text) == ("project", "of this")
    assert book.everywhere.get(HOST).uses == 0, "it was not shown"


async def test_a_flagged_note_hides_none(paths):
    book = Notebook(paths, Sites(), score=lambda text: 0.9 * ("of this" in text))
    book.everywhere.save(HOST, "of all\n", source="agent", score=0.0)
    book.project.save(HOST, "of this\n", source="agent", score=0.0)

    page = await book.offer(HOST)

    assert (page.flagged, page.text) == (("project",), "of all")


async def test_the_skills_of_a_host_are_offered_unless_their_words_are_an_attack(paths):
    skills = [
        Suggestion("skill", "prices", HOST, "List the prices"),
        Suggestion("skill", "bad", HOST, "attack"),
    ]
    book = Notebook(
        paths, Sites(), score=lambda text: float("attack" in text), programs=lambda _: skills
    )

    assert [it.name for it in (await book.offer(HOST)).skills] == ["prices"]
    assert (await book.open(HOST)).skills == ()


async def test_a_note_of_all_projects_becomes_global(book):
    await save(book, everywhere=True)

    states = [(await book.offer(HOST)).stored.note.state for _ in range(3)]

    assert states[-1] is State.GLOBAL


async def test_what_is_shown_is_bounded(book):
    await save(book, "a line of a long note\n" * 500)

    text = (await book.offer(HOST)).text

    assert len(text) <= MAX_SHOWN_CHARS + 2
    assert text.endswith("\n…")


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        ("", True),
        ("domain_skill_prompts: on\n", True),
        ("domain_skill_prompts: off\n", False),
        ("domain_skill_prompts: 'False'  # no\n", False),
        ("\udcff", True),
    ],
)
async def test_the_person_can_turn_it_off(book, paths, config, shown):
    await save(book)
    paths.config_yaml.parent.mkdir(exist_ok=True)
    paths.config_yaml.write_bytes(config.encode("utf-8", "surrogateescape"))

    assert bool((await book.offer(HOST)).stored) is shown
    assert (await book.open(HOST)).stored


async def test_a_use_that_cannot_be_written_down_keeps_nothing_from_being_shown(book):
    await save(book)
    (book.project.folder / ".lock").unlink()
    (book.project.folder / ".lock").mkdir()

    page = await book.offer(HOST)

    assert page.text == "words"
    assert book.project.get(HOST).uses == 0


async def test_garbage_is_passed_over(book):
    await save(book)
    book.project.path(HOST).write_bytes(b"\xff\0")

    assert (await book.offer(HOST)).stored is None
    assert await book.suggestions() == []


async def test_suggestions_are_notes_and_then_programs(paths):
    asked = []

    def programs(host: str) -> list[Suggestion]:
        asked.append(host)
        return [Suggestion("skill", "a", HOST)]

    book = Notebook(paths, Sites(), programs=programs)
    await save(book, "# How to log in\nwords\n")

    found = await book.suggestions(HOST)

    assert [(it.kind, it.name) for it in found] == [("note", HOST), ("skill", "a")]
    assert found[0].triggers == ("How to log in",)
    assert [it.kind for it in await book.suggestions()] == ["note", "skill"]
    assert asked == [HOST, ""]
    assert [it.kind for it in await book.suggestions("other.example")] == ["skill"]
