"""The side panel in a person's own Chromium: paired by a code, then fed by the daemon's events."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, expect

from browse.core.extension_id import ID, ORIGIN
from support.own_pages import violations
from support.panel import browser_with_extension, choose, open_panel, pair, run

expect.set_options(timeout=60_000)
pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
HOSTILE = "<img src=x onerror=document.title='broken'>"
CALLER = (Path(__file__).parent / "caller.js").read_text("utf-8")


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def closed(person: BrowserContext) -> AsyncIterator[None]:
    """Close what a test has opened."""
    yield
    await asyncio.gather(*(page.close() for page in person.pages[1:]))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def person(tmp_path_factory) -> AsyncIterator[BrowserContext]:
    async with browser_with_extension(tmp_path_factory.mktemp("profile")) as context:
        yield context


async def paired_panel(person: BrowserContext, project) -> Page:
    """Open a panel that is connected to a project's daemon, and to no other before."""
    panel = await open_panel(person)
    await panel.evaluate("chrome.storage.session.clear()")
    told = (await run(project, "extension", "pair", "--json")).json
    await pair(panel, told["port"], told["code"])
    await expect(panel.locator("#connection")).to_contain_text(f"connected · port {told['port']}")
    return panel


async def leave(project, words: str) -> str:
    """Leave a message as the person's program does; return its id."""
    state = project.state()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{state['port']}") as client:
        headers = {"Authorization": f"Bearer {state['token']}"}
        answer = await client.post("/inbox", json={"message": words}, headers=headers)
    return str(answer.json()["id"])


async def test_a_panel_without_a_daemon_asks_for_a_code_that_works_once(person, browser):
    panel = await paired_panel(person, browser)
    await panel.evaluate("chrome.storage.session.clear()")
    await expect(panel.get_by_text("Not connected to a daemon.")).to_be_visible()
    assert await violations(panel) == []

    await pair(panel, browser.state()["port"], "wrong" * 5)
    await expect(panel.get_by_role("alert")).to_contain_text("older than five minutes")


async def test_the_feed_ticks_and_words_of_others_stay_words(person, browser, site):
    panel = await paired_panel(person, browser)
    await choose(panel, "Activity")

    await run(browser, "goto", site.page("/fed", "<button>Buy</button>"))
    await expect(panel.locator(".feed .nav").first).to_contain_text("goto")
    await asyncio.to_thread(browser.browse, "click", HOSTILE)
    await expect(panel.locator(".feed .error").first).to_contain_text("click")
    await expect(panel.locator(".feed .error .args").first).to_contain_text("<img")
    assert await panel.locator(".feed img").count() == 0
    assert await violations(panel) == []
    await expect(panel.locator("#memory")).to_contain_text("tab")
    await choose(panel, "Security")
    await expect(panel.get_by_text("Protected", exact=True)).to_be_visible()
    assert await violations(panel) == []


async def test_notes_show_when_the_agent_is_done(person, browser, site):
    panel = await paired_panel(person, browser)
    await choose(panel, "Notes")
    await run(browser, "goto", site.page("/noted", "<p>x"))

    message = await leave(browser, HOSTILE)
    await expect(panel.locator(".notes .open p")).to_have_text(HOSTILE)
    assert await violations(panel) == []
    await run(browser, "inbox", "done", message)
    await expect(panel.locator(".notes .done")).to_contain_text("Done")
    await run(browser, "inbox", "--clear")
    await expect(panel.locator(".notes li")).to_have_count(0)


async def test_panes_change_by_keyboard_and_say_where_they_cannot_look(person, browser):
    panel = await paired_panel(person, browser)
    await choose(panel, "Refs")
    await expect(panel.get_by_text("The panel cannot look into this page.")).to_be_visible()

    await panel.get_by_role("tab", name="Refs").press("ArrowRight")
    await expect(panel.get_by_role("tab", name="Inspector")).to_be_focused()
    await panel.get_by_role("button", name="Pick an element").click()
    await expect(panel.get_by_text("The picker cannot run on this page.")).to_be_visible()
    assert await violations(panel) == []
    await panel.get_by_role("button", name="More").click()
    await expect(panel.get_by_role("tab")).to_have_text(["Terminal", "Notes"])
    await expect(panel.get_by_role("tab", name="Terminal")).to_have_attribute(
        "aria-selected", "true"
    )


async def test_a_page_that_calls_the_extension_is_refused(person, site):
    page = await person.new_page()
    await page.goto(await asyncio.to_thread(site.page, "/caller", "<h1>Hello</h1>"))

    tried = await page.evaluate(CALLER, {"id": ID, "origin": ORIGIN})

    assert tried.pop("leaked") == ""
    assert tried.pop("drawn") == "nothing"
    assert set(tried.values()) == {"refused"}


async def test_panels_share_one_stream_and_each_shows_what_runs(person, browser, site):
    # Chromium opens six connections to a server, and keeps further requests waiting.
    panels = [await paired_panel(person, browser), *[await open_panel(person) for _ in range(6)]]

    await run(browser, "goto", site.page("/shared", "<p>x"))

    for panel in panels:
        await expect(panel.locator(".feed .nav").first).to_contain_text("/shared")
    await panels[0].close()
    await run(browser, "goto", site.page("/again", "<p>x"))
    await expect(panels[-1].locator(".feed .nav").first).to_contain_text("/again")


async def test_a_daemon_that_ends_is_said_and_a_new_one_needs_a_new_code(person, project):
    project.env["BROWSE_HEADLESS_SKIP"] = "1"
    panel = await paired_panel(person, project)

    port = project.state()["port"]
    await run(project, "stop")
    await expect(panel.get_by_text("The connection to the daemon is lost.")).to_be_visible()
    project.env["BROWSE_PORT"] = str(port)
    await run(project, "extension", "pair")
    await expect(panel.get_by_text("Not connected to a daemon.")).to_be_visible()
    await paired_panel(person, project)
    await expect(panel.locator("#connection")).to_contain_text(f"connected · port {port}")


async def test_the_copy_for_ones_own_chrome_is_the_extension(browser):
    told = (await run(browser, "extension", "install", "--json")).json
    path = (await run(browser, "extension", "path", "--json")).json

    files = [await asyncio.to_thread(_files, Path(it["path"])) for it in (told, path)]
    assert files[0] == files[1] >= {"manifest.json", "worker.js", "panel/panel.html"}
    assert path["id"] == ID


def _files(folder: Path) -> set[str]:
    return {it.relative_to(folder).as_posix() for it in folder.rglob("*") if it.is_file()}
