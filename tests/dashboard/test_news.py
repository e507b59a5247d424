"""What an open dashboard is told."""

import asyncio
from contextlib import aclosing

from browse.dashboard.facts import DashboardFacts
from browse.dashboard.news import news
from browse.dispatch.activity import Activity
from support.fake_tabs import FakeContext, FakeTabs
from support.fakes import FakeBrowser, a_runner


async def started(browser: FakeBrowser, feed: Activity):
    """Begin to follow; the first event says that it listens."""
    parts = a_runner(browser=browser).parts
    events = news(feed, DashboardFacts(lambda: parts, dict), 0)
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


async def test_events_of_a_time_before_are_told_first():
    feed = Activity()
    feed.publish("command_end", "root", command="goto")
    async with aclosing(await _after(feed, 0)) as events:
        assert (await anext(events))["command"] == "goto"


async def _after(feed: Activity, cursor: int):
    parts = a_runner().parts
    return news(feed, DashboardFacts(lambda: parts, dict), cursor)
