"""Signals of page scripts: what they tell the daemon without being asked.

A binding of the DevTools protocol is the only way out of the isolated world by itself. It exists
in the driver's isolated worlds only, so pages can neither see nor call it. The session of the
console log carries it, because that one has `Runtime` enabled for every page, and for every frame
with a process of its own.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as DriverError

from browse.core.tasks import spawn

BINDING = "browseSignal"  # as in lib/elements/action_watch.js
WORLD = "__playwright_utility_world"
MAX_CONTEXTS = 2_000


class Worlds(msgspec.Struct):
    """The JavaScript contexts of a session: the isolated ones, and the page's own by frame."""

    frame_of: dict[int, str] = msgspec.field(default_factory=dict)
    pages_own: dict[str, int] = msgspec.field(default_factory=dict)
    # The windows of those that were asked for, as objects of the protocol.
    windows: dict[int, str] = msgspec.field(default_factory=dict)

    def add(self, context: dict[str, Any]) -> None:
        about = context.get("auxData") or {}
        frame = str(about.get("frameId", ""))
        if about.get("isDefault"):
            self.pages_own[frame] = context["id"]
        elif context["name"].startswith(WORLD):
            self.frame_of[context["id"]] = frame
        for known in (self.frame_of, self.pages_own, self.windows):
            if len(known) > MAX_CONTEXTS:  # of documents that are long gone
                known.clear()

    def page_context(self, isolated: int) -> int | None:
        """Return the page's own context in the frame of an isolated one."""
        return self.pages_own.get(self.frame_of.get(isolated, ""))


class PageSignal(msgspec.Struct, frozen=True):
    """What a page script told, and where it runs."""

    word: str
    session: CDPSession
    context: int
    worlds: Worlds


Heard = Callable[[PageSignal], None]


class _Line(msgspec.Struct):
    """Who hears the signals of a page, by token, and whether signals can come yet."""

    heard: dict[str, Heard] = msgspec.field(default_factory=dict)
    is_attached: bool = False
    open: asyncio.Event = msgspec.field(default_factory=asyncio.Event)


_LINES: WeakKeyDictionary[Page, _Line] = WeakKeyDictionary()
OPEN_S = 2.0


def attach(page: Page, session: CDPSession) -> None:
    """Pass on the signals of a session; to be called before `Runtime` is enabled in it."""
    line, worlds, bound = _LINES.setdefault(page, _Line()), Worlds(), set[str]()
    line.is_attached = True

    def on_context(event: dict[str, Any]) -> None:
        context = event["context"]
        worlds.add(context)
        name = context["name"]
        if name.startswith(WORLD) and name not in bound:
            bound.add(name)
            spawn(_bind(session, name, line.open), name="a binding for page scripts")

    def on_called(event: dict[str, Any]) -> None:
        token, _, word = event["payload"].partition(" ")
        if event["name"] == BINDING and (hear := line.heard.get(token)):
            hear(PageSignal(word, session, event["executionContextId"], worlds))

    session.on("Runtime.executionContextCreated", on_context)
    session.on("Runtime.bindingCalled", on_called)


async def _bind(session: CDPSession, world: str, line_open: asyncio.Event) -> None:
    with suppress(DriverError):  # the page may be gone
        await session.send("Runtime.addBinding", {"name": BINDING, "executionContextName": world})
        line_open.set()


@contextmanager
def hearing(page: Page, hear: Heard) -> Iterator[str]:
    """Call `hear` for each signal during the block; yields the token that signals begin with."""
    heard = _LINES.setdefault(page, _Line()).heard
    token = token_hex(8)
    heard[token] = hear
    try:
        yield token
    finally:
        del heard[token]


def is_attached(page: Page) -> bool:
    """Check whether signals of a page can arrive."""
    line = _LINES.get(page)
    return line is not None and line.is_attached


async def until_open(page: Page) -> None:
    """Wait until signals of a page can arrive: a tab that has just been opened is attached to."""
    with suppress(TimeoutError):
        async with asyncio.timeout(OPEN_S):
            await _LINES.setdefault(page, _Line()).open.wait()
