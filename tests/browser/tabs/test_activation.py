"""Which tabs came to the front because of us."""

from typing import Any

import pytest

from browse.browser.tabs import activation


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


def test_what_we_brought_to_the_front_is_expected_once(pages):
    activation.expect(pages[1])

    assert activation.was_expected(pages[1])
    assert not activation.was_expected(pages[1])


def test_what_is_in_front_already_is_not_reported_and_not_expected(pages):
    activation.expect(pages[0])

    assert not activation.was_expected(pages[0])


def test_what_comes_to_the_front_because_we_close_another_is_expected(pages):
    activation.expect_another(pages[1])
    assert not activation.was_expected(pages[0])
    activation.expect_another(pages[0])

    assert activation.was_expected(pages[1])


def test_what_is_reported_too_late_was_the_person(pages, monkeypatch):
    now = 10.0
    monkeypatch.setattr(activation, "elapsed", lambda: now)
    activation.expect(pages[1])
    now += activation.LATE_S

    assert not activation.was_expected(pages[1])


def test_a_page_comes_to_the_front_for_the_first_time_once(pages):
    assert activation.is_first(pages[1])
    activation.was_expected(pages[1])

    assert not activation.is_first(pages[1])
    assert not activation.is_first(pages[0])
