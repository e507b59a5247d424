"""A person's input, as the page gets it."""

import asyncio
from typing import Any

import pytest

from browse.core.errors import BrowseError, Code
from browse.view import person_input
from browse.view.messages import Finger, KeyEvent, MouseEvent, Pasted, TouchEvent, WheelEvent
from browse.view.person_input import MAX_WAITING, PersonInput


class FakePage:
    """Takes protocol commands, once it is let go."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, Any]]] = []
        self.free = asyncio.Event()
        self.free.set()

    async def send(self, method: str, about: dict[str, Any]) -> None:
        await self.free.wait()
        self.got.append((method.removeprefix("Input."), about))

    def kinds(self) -> list[str]:
        return [about.get("type", method) for method, about in self.got]


@pytest.fixture
def page() -> FakePage:
    return FakePage()


@pytest.fixture
def typed(page) -> PersonInput:
    return PersonInput(page.send, lambda: (1000, 500))


async def test_places_become_pixels_of_the_page(page, typed):
    typed.add(MouseEvent("down", 0.5, 0.5, "left", 1))
    typed.add(WheelEvent(0.1, 0.2, 0, 120))
    await typed.finish()

    first, second = page.got[0][1], page.got[1][1]
    assert (first["x"], first["y"], first["button"], first["buttons"]) == (500, 250, "left", 1)
    assert (second["x"], second["y"], second["deltaY"]) == (100, 100, 120)


async def test_keys_with_text_type_it_and_others_do_not(page, typed):
    typed.add(KeyEvent("down", "a", "KeyA", 65, "a"))
    typed.add(KeyEvent("up", "a", "KeyA", 65))
    typed.add(KeyEvent("down", "Tab", "Tab", 9))
    typed.add(Pasted("words"))
    await typed.finish()

    assert page.kinds() == ["keyDown", "keyUp", "rawKeyDown", "insertText", "keyUp"]


async def test_all_that_was_typed_reaches_a_slow_page_before_the_person_is_done(
    page, typed, monkeypatch
):
    page.free.clear()
    for char in "from afar":
        typed.add(KeyEvent("down", char, "", 0, char))
    await asyncio.sleep(0)  # the first is on its way, and takes as long as one may
    monkeypatch.setattr(person_input, "EVENT_S", 0.0)
    finishing = asyncio.create_task(typed.finish())
    await asyncio.sleep(0.01)
    page.free.set()
    await finishing

    assert "".join(about["text"] for _, about in page.got if "text" in about) == "from afar"


async def test_what_is_pressed_is_released_when_the_person_is_gone(page, typed):
    typed.add(MouseEvent("down", 0, 0, "left", 1))
    typed.add(MouseEvent("move", 0.5, 0.5))
    typed.add(KeyEvent("down", "Shift", "ShiftLeft", 16))
    typed.add(TouchEvent("start", [Finger(0, 0, 1)]))
    await typed.finish()

    assert page.kinds()[4:] == ["mouseReleased", "keyUp", "touchCancel"]
    await typed.release()
    assert len(page.got) == 7  # once


async def test_a_drag_keeps_its_button_while_it_moves(page, typed):
    typed.add(MouseEvent("down", 0, 0, "left", 1))
    typed.add(MouseEvent("move", 0.5, 0.5))
    await typed.finish()

    assert (page.got[1][1]["button"], page.got[1][1]["buttons"]) == ("left", 1)


async def test_moves_that_the_page_has_not_taken_become_one(page, typed):
    page.free.clear()
    typed.add(MouseEvent("down", 0, 0, "left", 1))
    await asyncio.sleep(0)
    for number in range(50):
        typed.add(MouseEvent("move", number / 100, 0))
    page.free.set()
    await typed.finish()

    assert page.kinds() == ["mousePressed", "mouseMoved", "mouseReleased"]
    assert page.got[1][1]["x"] == 490


async def test_a_page_that_takes_nothing_costs_little_memory(page, typed):
    page.free.clear()
    for _ in range(MAX_WAITING * 3):
        typed.add(KeyEvent("down", "a", "KeyA", 65, "a"))
    page.free.set()
    await typed.finish()

    assert len(page.got) <= MAX_WAITING + 2


async def test_a_page_that_is_gone_is_no_error():
    async def gone(_: str, __: dict[str, Any]) -> None:
        raise BrowseError(Code.TAB_CLOSED, "gone", hint="")

    typed = PersonInput(gone, lambda: (1, 1))
    typed.add(MouseEvent("down", 0, 0, "left", 1))

    await typed.finish()
