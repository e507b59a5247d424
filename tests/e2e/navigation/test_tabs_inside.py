"""Tabs, where only the process that has them can look."""

import asyncio

import pytest

from support.inside import browsing, eventually

pytestmark = pytest.mark.e2e


async def test_a_page_in_advance_becomes_the_next_tab_unless_it_crashes(tmp_path):
    async with browsing(tmp_path) as tabs:
        await tabs.current()
        pages = tabs.context.pages
        tabs.pages.prepare()
        tabs.pages.prepare()
        await eventually(lambda: len(tabs.context.pages) == len(pages) + 1)
        (spare,) = set(tabs.context.pages) - set(pages)
        assert [tab.page for tab in tabs.all()] == pages

        first, second = await tabs.open(), await tabs.open()

        assert first.page is spare
        assert second.page not in (*pages, spare)

        tabs.pages.prepare()
        known = {tab.page for tab in tabs.all()}
        await eventually(lambda: len(tabs.context.pages) == len(known) + 1)
        (doomed,) = set(tabs.context.pages) - known
        session = await tabs.context.new_cdp_session(doomed)
        async with doomed.expect_event("crash"):
            crash = asyncio.ensure_future(session.send("Page.crash"))  # it is never answered
        third = await tabs.open()
        await third.open("about:blank")

        assert third.page is not doomed
        await asyncio.gather(crash, return_exceptions=True)
