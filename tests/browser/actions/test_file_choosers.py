"""A page's question for files: a page that hangs keeps nobody waiting."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from browse.browser.actions import file_choosers
from browse.browser.actions.file_choosers import FileQuestion


async def never(*_: object) -> str:
    await asyncio.get_running_loop().create_future()
    raise AssertionError


@pytest.fixture
def hanging(monkeypatch) -> FileQuestion:
    """A question of a page that answers nothing."""
    monkeypatch.setattr(file_choosers, "ASK_S", 0.01)
    element = SimpleNamespace(get_attribute=never, dispatch_event=never)
    chooser: Any = SimpleNamespace(element=element)
    return FileQuestion(chooser)


async def test_what_a_page_that_hangs_accepts_is_not_waited_for(hanging):
    assert await hanging.accepted() == ""


async def test_to_cancel_ends_although_the_page_hangs(hanging):
    assert await hanging.cancel() is None
