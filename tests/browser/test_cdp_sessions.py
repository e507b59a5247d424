"""Sessions of the protocol that are kept, with a real Chromium."""

import pytest
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import session_of
from support.inside import browsing, eventually

pytestmark = pytest.mark.e2e


async def test_a_page_and_a_frame_of_another_site_have_one_session_each(tmp_path, site):
    foreign = site.page("/attached-in", "<p>in").replace("127.0.0.1", "localhost")
    near = site.page("/attached-near", "<p>near")
    outer = site.page("/attached", f"<iframe id=f src={foreign}></iframe><iframe src={near}>")
    async with browsing(tmp_path) as tabs:
        page = (await tabs.current()).page
        await page.goto(outer)
        far = next(it for it in page.frames if it.url == foreign)
        same = next(it for it in page.frames if it.url == near)

        assert await session_of(page) is await session_of(page)
        first = await session_of(far)
        assert await session_of(far) is first
        assert first is not await session_of(page)
        with pytest.raises(DriverError):  # it is heard with its page
            await session_of(same)

        gone: list[object] = []
        first.on("close", lambda it: gone.append(it))
        await page.evaluate(f"f.src = '{near}?again'")
        await eventually(lambda: bool(gone))
        await page.evaluate(f"f.src = '{foreign}?again'")
        await eventually(lambda: far.url == f"{foreign}?again")

        assert (await (await session_of(far)).send("Target.getTargetInfo"))["targetInfo"]
