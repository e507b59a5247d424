"""The states of a note."""

from functools import reduce

from browse.notes.note import CLEAN_USES, MAX_VERSIONS, Note, Record, State

NOW = "2026-01-31T10:00:00.000Z"


def fresh() -> Note:
    return Note(1, "words\n", State.QUARANTINED, "agent", NOW)


def shown(note: Note, times: int, believed: State = State.ACTIVE) -> Note:
    return reduce(lambda it, _: it.shown(believed=believed, score=0.1, now=NOW), range(times), note)


def saved(record: Record, body: str) -> Record:
    return record.added(body, source="agent", state=State.QUARANTINED, score=0.0, now=NOW)


def test_a_note_is_believed_after_three_clean_uses():
    states = [shown(fresh(), times).state for times in range(CLEAN_USES + 2)]

    assert states == [State.QUARANTINED] * 3 + [State.ACTIVE] * 2


def test_a_note_of_all_projects_is_believed_as_global():
    assert shown(fresh(), 3, State.GLOBAL).state is State.GLOBAL


def test_a_flag_sends_it_back_to_the_beginning():
    flagged = shown(fresh(), 5).flagged(score=0.9, now=NOW)

    assert (flagged.state, flagged.uses, flagged.flags) == (State.QUARANTINED, 0, 1)
    assert shown(flagged, 2).state is State.QUARANTINED
    assert shown(flagged, 3).state is State.ACTIVE


def test_versions_are_numbered_once_and_bounded():
    record = reduce(saved, [f"{n}\n" for n in range(15)], Record("example.com"))

    assert [note.version for note in record.versions] == list(range(6, 16))
    assert len(record.versions) == MAX_VERSIONS
    assert saved(record.back(), "other").versions[-1].version == 17


def test_going_back_gives_what_was_there_with_its_state():
    first = saved(Record("example.com"), "one\n")
    trusted = first.changed(shown(first.versions[-1], 3))

    (back,) = saved(trusted, "two\n").back().versions
    assert (back.body, back.state, back.uses) == ("one\n", State.ACTIVE, 3)


def test_going_back_never_lowers_the_number():
    record = reduce(saved, ["one\n", "two\n", "three\n"], Record("example.com"))

    steps = [it.versions[-1] for it in (record, record.back(), record.back().back())]
    assert [it.version for it in steps] == [3, 4, 5]
    assert [it.body for it in steps] == ["three\n", "two\n", "one\n"]
    assert saved(record.back(), "four\n").versions[-1].version == 5


def test_nothing_is_before_the_first():
    assert saved(Record("example.com"), "one\n").back().current is None
