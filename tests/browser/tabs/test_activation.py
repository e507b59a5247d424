"""Which tabs came to the front because of us."""

from typing import Any

import pytest

from browse.browser.tabs import activation
from browse.core.clock import wall_ms


class FakeContext:
    """A window, as far as its pages belong to it."""


class FakePage:
    """A page, as far as it is compared with others."""

    def __init__(self, context: FakeContext) -> None:
        self.context = context


@pytest.fixture
def pages() -> list[Any]:
    context = FakeContext()
    made: list[Any] = [FakePage(context) for _ in range(2)]
    activation.is_in_front(made[0])
    return made


def test_what_comes_to_the_front_while_we_bring_a_page_there_is_our_doing(pages):
    context = pages[0].context
    before = wall_ms()
    with activation.by_us(context):
        assert activation.was_by_us(context, before)
        assert activation.was_by_us(context, wall_ms())

    assert activation.was_by_us(context, before)
    assert not activation.was_by_us(context, wall_ms() + 1)


def test_what_comes_to_the_front_because_we_close_another_is_expected_once(pages):
    activation.close(pages[1])
    assert not activation.follows_closed(pages[0].context)
    activation.close(pages[0])

    assert activation.follows_closed(pages[0].context)
    assert not activation.follows_closed(pages[0].context)


def test_what_is_reported_long_after_we_closed_a_page_was_the_person(pages, monkeypatch):
    now = 10.0
    monkeypatch.setattr(activation, "elapsed", lambda: now)
    activation.close(pages[0])
    now += activation.LATE_S

    assert not activation.follows_closed(pages[0].context)


def test_a_page_comes_to_the_front_for_the_first_time_once(pages):
    assert activation.is_first(pages[1])
    activation.is_in_front(pages[1])

    assert not activation.is_first(pages[1])
    assert not activation.is_first(pages[0])
