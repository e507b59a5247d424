"""What happens while a dashboard is open: the activity feed, and tabs that change by themselves."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from browse.browser.tabs.tab_changes import TabChanges
from browse.core.tasks import spawn
from browse.dashboard.facts import DashboardFacts
from browse.dispatch.activity import Activity, Event

MAX_WAITING = 100
TABS_CHANGED: Event = {"type": "tabs_changed"}


async def news(feed: Activity, facts: DashboardFacts, after: int) -> AsyncGenerator[Event, None]:
    """Yield every event of the feed after a cursor, and `tabs_changed`; for ever.

    However often tabs change, one such event waits at a time.
    """
    waiting: asyncio.Queue[Event] = asyncio.Queue(MAX_WAITING)
    said = asyncio.Event()

    def changed() -> None:
        if not said.is_set() and not waiting.full():
            said.set()
            waiting.put_nowait(TABS_CHANGED)

    async def copy() -> None:
        async with aclosing(feed.follow(after)) as events:
            async for event in events:
                await waiting.put(event)

    changes = TabChanges(changed)
    copying = spawn(copy(), name="the feed of a dashboard")
    try:
        while True:
            changes.watch(tabs for _, tabs in facts.sessions())
            event = await waiting.get()
            if event is TABS_CHANGED:
                said.clear()
            yield event
    finally:
        copying.cancel()
        changes.stop()
