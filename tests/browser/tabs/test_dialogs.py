"""Which answer a dialog gets, and what is kept of it."""

from typing import Any

import pytest

from browse.browser.tabs.dialogs import MAX_CHARS, Dialogs, Policy


class FakeContext:
    """A browser that opens no dialogs by itself."""

    def on(self, event: str, _: object) -> None:
        assert event == "dialog"


class FakeJournal:
    """Lines that would go to the disk."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture
def dialogs() -> Dialogs:
    context: Any = FakeContext()
    journal: Any = FakeJournal()
    return Dialogs(context, journal)


def ask(dialogs: Dialogs, kind: str = "prompt", message: str = "Name?") -> tuple[str, str | None]:
    asked = dialogs.decide(kind, message, "suggested", "http://page/")
    return asked.answer, asked.response


@pytest.mark.parametrize(
    ("policy", "kind", "answer"),
    [
        (Policy(), "alert", ("accepted", None)),
        (Policy(), "prompt", ("accepted", "suggested")),
        (Policy(text="Ada"), "prompt", ("accepted", "Ada")),
        (Policy(text=""), "prompt", ("accepted", "")),
        (Policy(text="Ada"), "confirm", ("accepted", None)),
        (Policy(accept=False), "prompt", ("dismissed", None)),
        (Policy(accept=False), "beforeunload", ("accepted", None)),
    ],
)
def test_policy_decides_the_answer(dialogs, policy, kind, answer):
    dialogs.policy = policy

    assert ask(dialogs, kind) == answer


def test_an_answer_for_once_is_used_once(dialogs):
    dialogs.next = Policy(accept=False)

    assert [ask(dialogs), ask(dialogs)] == [("dismissed", None), ("accepted", "suggested")]


def test_leaving_a_page_does_not_use_up_the_answer_for_once(dialogs):
    dialogs.next = Policy(accept=False)
    ask(dialogs, "beforeunload")

    assert ask(dialogs) == ("dismissed", None)


def test_what_is_kept_is_bounded(dialogs):
    ask(dialogs, message="x" * 10 * MAX_CHARS)

    assert [asked.message for asked in dialogs.seen] == ["x" * MAX_CHARS + "…"]


def test_what_was_answered_stays_out_of_the_log(dialogs):
    dialogs.policy = Policy(text="hunter2")
    ask(dialogs, message='Say "it"\nnow, token=abcdef123456')

    (line,) = dialogs._journal.lines
    assert "hunter2" not in line
    assert "abcdef123456" not in line
    assert line.endswith("→ accepted")
    assert dialogs.last
    assert dialogs.last.response == "hunter2"
