"""Signals of page scripts reach those who listen, and only from the isolated worlds."""

import asyncio
from typing import Any

import pytest

from browse.browser.page import signals
from browse.browser.page.signals import PageSignal, Worlds

WORLD = f"{signals.WORLD}_page@1"


class FakeSession:
    """A session that keeps what it is told, and passes events on."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.listeners: dict[str, Any] = {}

    def on(self, event: str, listener: Any) -> None:
        self.listeners[event] = listener

    async def send(self, method: str, params: dict[str, Any]) -> None:
        self.sent.append((method, params))

    def context(self, id: int, name: str, *, frame: str = "F", own: bool = False) -> None:
        about = {"frameId": frame, "isDefault": own}
        event = {"context": {"id": id, "name": name, "auxData": about}}
        self.listeners["Runtime.executionContextCreated"](event)

    def call(self, payload: str, name: str = signals.BINDING) -> None:
        event = {"name": name, "payload": payload, "executionContextId": 7}
        self.listeners["Runtime.bindingCalled"](event)


class FakePage:
    """A page, as far as signals know one."""


@pytest.fixture
def attached() -> Any:
    page: Any = FakePage()
    session: Any = FakeSession()
    signals.attach(page, session)
    return page, session


async def test_the_binding_is_made_once_in_the_isolated_worlds_only(attached):
    _, session = attached

    session.context(1, "", own=True)
    session.context(2, WORLD)
    session.context(3, WORLD)
    await asyncio.sleep(0)

    wanted = {"name": signals.BINDING, "executionContextName": WORLD}
    assert session.sent == [("Runtime.addBinding", wanted)]


def test_a_signal_reaches_who_listens_by_its_token(attached):
    page, session = attached
    heard: list[PageSignal] = []

    with signals.hearing(page, heard.append) as token:
        session.call(f"{token} sign")
        session.call("another sign")
        session.call(f"{token} sign", name="other")
    session.call(f"{token} late")

    assert [(it.word, it.context) for it in heard] == [("sign", 7)]


def test_a_page_without_a_session_has_no_signals():
    page: Any = FakePage()

    with signals.hearing(page, lambda _: None):
        assert not signals.is_attached(page)


def test_the_pages_own_context_is_that_of_the_same_frame():
    worlds = Worlds()
    for id, frame, own in ((1, "A", True), (2, "A", False), (3, "B", True), (4, "B", False)):
        name = "" if own else WORLD
        worlds.add({"id": id, "name": name, "auxData": {"frameId": frame, "isDefault": own}})

    assert [worlds.page_context(id) for id in (2, 4, 9)] == [1, 3, None]


async def test_who_listens_before_the_page_is_attached_hears_it_too():
    page: Any = FakePage()
    session: Any = FakeSession()
    heard: list[str] = []
    with signals.hearing(page, lambda signal: heard.append(signal.word)) as token:
        assert not signals.is_attached(page)
        signals.attach(page, session)
        session.call(f"{token} sign")

    assert heard == ["sign"]


async def test_an_action_waits_until_signals_can_come():
    page: Any = FakePage()
    session: Any = FakeSession()
    waiting = asyncio.create_task(signals.until_open(page))
    signals.attach(page, session)
    await asyncio.sleep(0)
    assert not waiting.done()

    session.context(2, WORLD)

    async with asyncio.timeout(20):
        await waiting
    assert [method for method, _ in session.sent] == ["Runtime.addBinding"]
    await signals.until_open(page)  # at once, from now on
