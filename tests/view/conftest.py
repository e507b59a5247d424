"""A tab with a page that only tells its listeners."""

from collections.abc import Callable
from typing import Any

import pytest

from support.fakes import FakeTab, FakeTabs


class FakePage:
    """A page without a document: events, and nothing else."""

    def __init__(self) -> None:
        self.frames: list[Any] = []
        self.heard: dict[str, list[Callable[[Any], None]]] = {}

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        self.heard.setdefault(event, []).append(hear)

    once = on

    def remove_listener(self, event: str, hear: Callable[[Any], None]) -> None:
        self.heard[event].remove(hear)

    def happen(self, event: str, about: Any = None) -> None:
        for hear in list(self.heard.get(event, [])):
            hear(about)


class PageTab(FakeTab):
    """A tab with such a page."""

    def __init__(self, id: int) -> None:
        super().__init__(id)
        self.page = FakePage()
        self.closed = False

    def check_page(self) -> None:
        pass


@pytest.fixture
def tab() -> PageTab:
    return PageTab(1)


@pytest.fixture
def tabs(tab) -> FakeTabs:
    return FakeTabs(tab)
