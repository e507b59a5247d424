"""The activity feed: an event when a command begins and when it ends.

Events have names, redacted words, times and outcomes, never results. The newest thousand are kept.
A watcher that asks for older ones, or reads too slowly, gets an event that says what it missed.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any

from browse.core.clock import stamp
from browse.core.text import well_formed
from browse.guard.credentials import masked

KEPT = 1_000
Event = dict[str, Any]


class Activity:
    """Publishes events and replays them from a cursor."""

    def __init__(self) -> None:
        self.total = 0
        self.watchers = 0
        self._events: deque[Event] = deque(maxlen=KEPT)
        self._news = asyncio.Event()

    def publish(self, kind: str, client: str, **facts: Any) -> None:
        """Add an event and wake the watchers."""
        self.total += 1
        about = {"id": self.total, "timestamp": stamp(), "type": kind, "clientId": client}
        self._events.append({**about, **facts})
        self._news.set()
        self._news = asyncio.Event()

    def say(self, client: str, message: str) -> None:
        """Show a message of an agent to the person, as untrusted text."""
        self.publish("message", client, page={"message": masked(well_formed(message))})

    def latest(self, limit: int) -> list[Event]:
        """Return the newest events, oldest first."""
        return list(self._events)[-limit:] if limit > 0 else []

    async def follow(self, after: int) -> AsyncGenerator[Event, None]:
        """Yield every event after a cursor, for ever; `type: gap` stands for lost events."""
        self.watchers += 1
        try:
            cursor = min(after, self.total)
            while True:
                news = self._news
                for event in [event for event in self._events if event["id"] > cursor]:
                    if event["id"] > cursor + 1:
                        yield {"type": "gap", "gapFrom": cursor + 1, "availableFrom": event["id"]}
                    yield event
                    cursor = event["id"]
                if cursor == self.total:
                    await news.wait()
        finally:
            self.watchers -= 1
