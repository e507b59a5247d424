"""What an open dashboard is told."""

import asyncio
from contextlib import aclosing
from typing import Any

from browse.dashboard.facts import DashboardFacts
from browse.dashboard.news import news
from browse.dispatch.activity import Activity
from browse.view.holds import Holds
from support.fake_tabs import FakeContext, FakeTabs
from support.fakes import FakeBrowser, a_runner


def following(feed: Activity, holds: Holds | None = None, *, after: int = 0, **fakes: Any):
    parts = a_runner(**fakes).parts
    return news(feed, holds or parts.holds, DashboardFacts(lambda: parts, dict), after)


async def started(browser: FakeBrowser, feed: Activity, holds: Holds | None = None):
    """Begin to follow; the first event says that it listens."""
    events = following(feed, holds, browser=browser)
    feed.publish("command_end", "root", command="url")
    assert (await anext(events))["command"] == "url"
    return events


def tabs_of(browser: FakeBrowser) -> FakeTabs:
    assert browser.open_tabs
    return browser.open_tabs


async def test_a_tab_that_changes_by_itself_is_news_once_at_a_time():
    browser, feed = FakeBrowser(), Activity()
    page, context = FakeContext(), tabs_of(browser).context
    context.pages.append(page)
    async with aclosing(await started(browser, feed)) as events:
        page.emit("load", page)
        page.emit("domcontentloaded", page)
        page.emit("close", page)
        assert await anext(events) == {"type": "tabs_changed"}
        popup = FakeContext()
        context.emit("page", popup)
        assert await anext(events) == {"type": "tabs_changed"}
        feed.publish("command_end", "root", command="text")

        assert (await anext(events))["command"] == "text"
        assert page.listeners == [], "a closed page is forgotten"
        assert popup.listeners
    assert (context.listeners, popup.listeners) == ([], [])
    await asyncio.sleep(0)
    assert feed.watchers == 0


async def test_events_after_the_cursor_are_told_first():
    feed = Activity()
    for name in ("goto", "text"):
        feed.publish("command_end", "root", command=name)
    async with aclosing(following(feed, after=1)) as events:
        assert (await anext(events))["command"] == "text"


async def test_a_handoff_is_news_and_nobody_listens_afterwards():
    browser, feed, holds = FakeBrowser(), Activity(), Holds()
    async with aclosing(await started(browser, feed, holds)) as events:
        for tell in (*holds.changed, *holds.changed):
            tell()
        feed.publish("command_end", "root", command="text")

        assert await anext(events) == {"type": "handoffs_changed"}
        assert (await anext(events))["command"] == "text"
    assert holds.changed == set()
