"""The cookie picker as a person sees it, in a browser of their own, beside a real profile."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Request, Route, expect

from support.cli import HANG_S, Project
from support.everyday import cookie_page, visit_with_chromium
from support.own_pages import persons_browser, violations

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
expect.set_options(timeout=HANG_S * 1000)
SECRET = "a-value-that-nobody-sees"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def person() -> AsyncIterator[Browser]:
    async with persons_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def ours(tmp_path_factory, site) -> Iterator[Project]:
    """A daemon of its own beside a browser that was at two sites."""
    made = Project.make(tmp_path_factory.mktemp("ours"))
    cookie_page(site, "/picked", [f"sid={SECRET}; Max-Age=9000", f"b={SECRET}; HttpOnly"])
    urls = [f"http://{host}.example:{site.port}/picked" for host in ("www.shop", "mail")]
    visit_with_chromium(Path(made.env["HOME"]) / ".config/chromium", urls)
    yield made
    made.end()


def address(project: Project, *words: str) -> str:
    words = ("cookie-import-browser", "--no-open", "--json", *words)
    return project.ok(*words).json["url"]


async def opened(person: Browser, url: str) -> Page:
    page = await person.new_page()
    page.on("pageerror", lambda problem: pytest.fail(str(problem)))
    await page.goto(url)
    await expect(page.locator("#theirs button").first).to_be_visible()
    return page


async def test_what_is_pressed_while_an_import_ends_is_done_after_it(person, ours):
    page = await opened(person, address(ours, "--session", "pressed"))
    await expect(page.locator("#theirs li")).to_have_count(2)
    goes_on = asyncio.Event()

    async def hold(route: Route) -> None:
        await goes_on.wait()
        await route.continue_()

    await page.route("**/cookie-picker/imported*", hold)
    await page.get_by_role("button", name="Import www.shop.example").click()
    await expect(page.locator("#said")).to_have_text("2 cookies imported.")
    await page.get_by_role("button", name="Import all").click()
    goes_on.set()

    await expect(page.locator("#said")).to_have_text("4 cookies imported.")


async def test_cookies_are_imported_and_removed_without_a_value_in_sight(person, ours, site):
    page = await opened(person, address(ours, "--session", "picked"))
    seen: list[str] = []

    async def keep(request: Request) -> None:
        answer = await request.response()
        seen.append(await answer.text() if answer else "")

    page.on("requestfinished", keep)
    await expect(page.locator("#browsers button")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator("#theirs li")).to_have_count(2)
    assert await violations(page) == []
    await page.fill("#search", "shop")
    await expect(page.locator("#theirs li")).to_have_count(1)
    await page.get_by_role("button", name="Import www.shop.example").click()
    await expect(page.locator("#said")).to_have_text("2 cookies imported.")
    await page.fill("#search", "")
    await page.get_by_role("button", name="Import all").click()
    await expect(page.locator("#said")).to_have_text("4 cookies imported.")
    await expect(page.locator("#ours li")).to_have_count(2)
    assert await violations(page) == []
    await page.get_by_role("button", name="Remove mail.example").click()
    await expect(page.locator("#ours li")).to_have_count(1)

    kept = ours.ok("cookies", "--session", "picked", "--json").json["page"]["cookies"]
    ours.ok("goto", site.page("/elsewhere", "<p>x"), "--session", "picked")
    gated = ours.browse("js", "1", "--session", "picked")
    assert {row["domain"] for row in kept} == {"www.shop.example"}
    assert (gated.code, "mail.example, www.shop.example" in gated.err) == (4, True)
    assert seen
    assert SECRET not in "".join([*seen, await page.content(), ours.log])
    await page.close()


async def test_an_address_works_once_and_a_failure_is_told(person, ours):
    url = address(ours)
    page = await opened(person, url)
    database = Path(ours.env["HOME"]) / ".config/chromium/Default/Cookies"
    before = database.read_bytes()
    try:
        database.write_bytes(b"damaged")
        await page.get_by_role("button", name="Import www.shop.example").click()
        await expect(page.locator("#banner")).to_contain_text("is damaged")
        await expect(page.locator("#said")).to_have_text("0 cookies imported.")
    finally:
        database.write_bytes(before)
    await page.get_by_role("button", name="Import www.shop.example").click()
    await expect(page.locator("#banner")).to_be_hidden()

    second = await person.new_page()
    await second.goto(url)
    await expect(second.locator("#banner")).to_contain_text("was opened before")
    await second.goto(re.sub("#.*", "", url))
    await expect(second.locator("#banner code")).to_have_text("browse cookie-import-browser")
    assert await second.locator("#board").is_hidden()
