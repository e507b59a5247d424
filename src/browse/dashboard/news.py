"""What happens while a dashboard is open: the activity feed, and what changes without a command."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial

from browse.browser.tabs.tab_changes import TabChanges
from browse.core.tasks import spawn
from browse.dashboard.facts import DashboardFacts
from browse.dispatch.activity import Activity, Event
from browse.view.holds import Holds

MAX_WAITING = 100
TABS, HANDOFFS = "tabs_changed", "handoffs_changed"


async def news(
    feed: Activity, holds: Holds, facts: DashboardFacts, after: int
) -> AsyncGenerator[Event, None]:
    """Yield every event of the feed after a cursor, and what changes without a command; for ever.

    However often tabs or handoffs change, one event of each kind waits at a time.
    """
    waiting: asyncio.Queue[Event] = asyncio.Queue(MAX_WAITING)
    said: set[str] = set()

    def changed(what: str) -> None:
        if what not in said and not waiting.full():
            said.add(what)
            waiting.put_nowait({"type": what})

    async def copy() -> None:
        async with aclosing(feed.follow(after)) as events:
            async for event in events:
                await waiting.put(event)

    tabs, handoffs = TabChanges(partial(changed, TABS)), partial(changed, HANDOFFS)
    holds.changed.add(handoffs)
    copying = spawn(copy(), name="the feed of a dashboard")
    try:
        while True:
            tabs.watch(session for _, session in facts.sessions())
            event = await waiting.get()
            said.discard(event["type"])
            yield event
    finally:
        copying.cancel()
        tabs.stop()
        holds.changed.discard(handoffs)
