"""The page that a new window shows first."""

import pytest

from support.own_pages import violations

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]


async def test_the_welcome_page_says_what_the_window_is_and_hides_its_arrow(person, shared_project):
    page, troubles = await person.new_page(), []
    here = f"http://127.0.0.1:{shared_project.state()['port']}/"
    page.on("console", lambda said: troubles.append(said.text))
    page.on("request", lambda it: troubles.extend([it.url] if here not in it.url else []))
    await page.goto(f"{here}welcome")

    assert await page.get_by_role("listitem").count() == 6
    hint = page.get_by_role("complementary", name="The side panel")
    assert "Ctrl+Shift+Y" in await hint.inner_text()
    await page.evaluate("document.dispatchEvent(new Event('gstack-extension-ready'))")
    await hint.wait_for(state="hidden")
    await page.reload()
    await hint.wait_for(state="visible")
    assert await violations(page) == []
    assert troubles == []
