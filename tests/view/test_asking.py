"""Dialogs, answered by a person."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from browse.browser.tabs.dialogs import DialogPolicy
from browse.view import asking
from browse.view.asking import PersonsAnswers
from browse.view.messages import DialogAnswer


class FakeViewer:
    def __init__(self) -> None:
        self.told: list[dict] = []

    def tell(self, type: str, **facts: object) -> None:
        self.told.append({"type": type, **facts})


@pytest.fixture
def viewer() -> FakeViewer:
    return FakeViewer()


async def test_the_person_in_control_answers(viewer):
    answers = PersonsAnswers(lambda _: viewer)
    asked = answers.ask("page", "prompt", "Your\ud800 name?", "me")
    assert asked
    waiting = asyncio.gather(asked)
    await asyncio.sleep(0)
    answers.answer(DialogAnswer(99, False))
    answers.answer(DialogAnswer(1, True, "Ann"))

    assert await waiting == [DialogPolicy(True, "Ann")]
    assert viewer.told == [
        {"type": "dialog", "dialog": 1, "kind": "prompt", "message": "Your\ufffd name?",
         "suggested": "me"}
    ]  # fmt: skip


async def test_without_a_person_nobody_is_asked():
    assert PersonsAnswers(lambda _: None).ask("page", "alert", "", "") is None


async def test_a_person_who_goes_or_waits_too_long_has_said_no(viewer, monkeypatch):
    answers = PersonsAnswers(lambda _: viewer)
    asked = answers.ask("page", "confirm", "Sure?", "")
    assert asked
    gone = asyncio.gather(asked)
    await asyncio.sleep(0)
    answers.give_up()
    monkeypatch.setattr(asking, "ANSWER_S", 0.0)
    late = answers.ask("page", "confirm", "Sure?", "")

    assert await gone == [DialogPolicy(accept=False)]
    assert late
    assert await late == DialogPolicy(accept=False)
    assert viewer.told[-1]["type"] == "answered"


def test_a_session_asks_persons_once_somebody_looks():
    tabs: Any = SimpleNamespace(dialogs=SimpleNamespace(person=None))
    answers = PersonsAnswers(lambda _: None)
    answers.listen(tabs)

    assert tabs.dialogs.person == answers.ask
