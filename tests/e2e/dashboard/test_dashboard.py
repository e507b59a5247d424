"""The dashboard as a person sees it: in a browser of their own, beside the commands of agents."""

import html
import json
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, Page, expect

from support.cli import HANG_S, Project
from support.own_pages import violations
from support.person import person as at_a_terminal

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
expect.set_options(timeout=HANG_S * 1000)
HOSTILE = "<img src=x onerror=\"document.body.textContent='pwned'\">"
HOSTILE_PAGE = f"<title>{html.escape(HOSTILE)}</title><button>Buy</button>"


@pytest.fixture(scope="module")
def watched(tmp_path_factory) -> Iterator[Project]:
    """A daemon of its own, which a test may restart."""
    made = Project.make(tmp_path_factory.mktemp("watched"))
    made.ok("url")
    yield made
    made.end()


@pytest.fixture
def automated(watched) -> Iterator[Project]:
    """The same daemon, with automation on; a person at a terminal ends it."""
    watched.ok("automate", "begin")
    yield watched
    end = watched.browse("automate", "end", "--json").json["id"]
    at_a_terminal(watched, "confirm", end, types=typed_code)


def typed_code(shown: str) -> str:
    found = re.search(r"Type `([0-9a-f]{4})`", shown)
    assert found, shown
    return found[1]


async def opened(person: Browser, project: Project) -> Page:
    """Open the address that the command prints, and wait until the page shows something."""
    page = await person.new_page()
    page.on("pageerror", lambda problem: pytest.fail(str(problem)))
    await page.goto(address(project))
    await expect(page.locator("#board")).to_be_visible()
    return page


def address(project: Project) -> str:
    return project.ok("dashboard", "--no-open", "--json").json["url"]


def agent(project: Project, name: str) -> str:
    """Pair an agent on this machine; return its token."""
    status, text = project.ask("POST", "/token", {"clientId": name})
    assert status == 200, text
    return json.loads(text)["token"]


async def test_an_address_works_once_and_a_second_use_says_what_to_type(person, watched):
    printed = watched.ok("dashboard", "--no-open").out
    url = printed.split()[1]
    first, second = await person.new_page(), await person.new_page()

    await first.goto(url)
    await expect(first.locator("#state")).to_have_text("healthy")
    assert "#" not in first.url, "the code does not stay in the address"
    await first.reload()
    await expect(first.locator("#state")).to_have_text("healthy")
    await second.goto(url)
    await expect(second.locator("#banner")).to_contain_text("was opened before")
    await expect(second.locator("#banner code")).to_have_text("browse dashboard")
    await second.goto(url.partition("#")[0])
    await expect(second.locator("#banner code")).to_have_text("browse dashboard")
    assert await second.locator("#board").is_hidden()


async def test_it_shows_what_commands_do_while_they_do_it(person, watched, site):
    page = await opened(person, watched)
    watched.ok("goto", site.page("/shop", "<title>Tea shop</title><h1>Tea</h1>"))
    tab = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Tea shop"))

    await expect(tab).to_be_visible()
    await expect(tab.locator("img")).to_be_visible()
    assert await tab.locator("img").evaluate("it => it.naturalWidth") == 480
    await expect(page.locator("#activity li").first).to_contain_text("goto http://127.0.0.1")

    waiting = watched.start("wait", "#never", "--timeout", "60000")
    await expect(tab.locator(".badges")).to_contain_text("runs wait")
    await expect(page.locator("#activity .running")).to_contain_text("#never")
    waiting.terminate()
    waiting.communicate()
    await expect(page.locator("#activity .running")).to_have_count(0)

    watched.ok("handoff", "Solve the puzzle", "--no-open")
    await expect(page.locator("#handoffs")).to_contain_text("Solve the puzzle")
    await expect(tab.locator(".badges")).to_contain_text("person since")
    watched.ok("resume")
    await expect(page.locator("#waiting-part")).to_be_hidden()

    watched.ok("load-html", stdin="<title>Opener</title><a href='about:blank' target=_blank>x</a>")
    count = await page.locator("#tabs > li").count()
    watched.ok("js", "setTimeout(() => window.open('about:blank'), 300), 1")
    await expect(page.locator("#tabs > li")).to_have_count(count + 1)


async def test_words_of_pages_and_agents_stay_words_and_axe_finds_nothing(person, automated, site):
    agent(automated, "reader")
    automated.ok("goto", site.page("/hostile", HOSTILE_PAGE), BROWSE_AGENT=HOSTILE)
    automated.ask("POST", "/sidebar-chat", {"message": HOSTILE})
    automated.browse("click", HOSTILE, BROWSE_AGENT=HOSTILE)
    automated.ok("domain-skill", "save", "shop.example", stdin="# Tea")
    asked = automated.browse("click", "button", "--json", BROWSE_AGENT=HOSTILE).json
    page = await opened(person, automated)

    await expect(page.get_by_role("heading", name=HOSTILE)).to_be_visible()
    await expect(page.locator("#steps code.command").first).to_have_text(
        f"browse confirm {asked['id']}"
    )
    assert await page.title() == "(1) browse"
    assert await page.locator("#steps button").count() == 0
    await expect(page.locator("#activity blockquote").first).to_have_text(HOSTILE)
    await expect(page.locator("#agents")).to_contain_text(HOSTILE)
    await expect(page.locator("#notes")).to_contain_text("shop.example")
    await expect(page.locator("#skills")).to_contain_text("wikipedia-infobox")
    await expect(page.locator("#pairings")).to_contain_text("reader")
    await expect(page.locator("#defences")).to_contain_text("protected")
    assert await page.locator("img[src=x]").count() == 0
    assert await violations(page) == []
    at_a_terminal(automated, "confirm", asked["id"], types=typed_code)
    await expect(page.locator("#waiting-part")).to_be_hidden()
    assert await page.title() == "browse"


async def test_a_person_closes_a_tab_and_revokes_an_agent(person, watched, site):
    token = agent(watched, "codex")
    call = {"command": "newtab", "args": [site.page("/mine", "<title>Mine</title>"), "--json"]}
    status, text = watched.ask("POST", "/command", call, authorization=f"Bearer {token}")
    assert status == 200, text
    id = json.loads(text)["tabId"]
    page = await opened(person, watched)

    row = page.get_by_role("listitem").filter(has_text="codex")
    await expect(row.filter(has=page.get_by_role("heading", name="Mine"))).to_be_visible()
    await page.get_by_role("button", name=f"Close tab {id}", exact=True).click()
    await expect(page.get_by_role("dialog")).to_contain_text("codex works in it")
    await page.get_by_role("button", name="Cancel").click()
    assert f"[{id}]" in watched.post("tabs")
    await page.get_by_role("button", name=f"Close tab {id}, which uses memory").click()
    await page.get_by_role("button", name="Close the tab").click()
    await expect(page.locator(f"[data-tab='{id}']")).to_have_count(0)
    assert f"[{id}]" not in watched.post("tabs")

    await page.get_by_role("button", name="Revoke codex").click()
    await page.get_by_role("button", name="Revoke it").click()
    await expect(page.locator("#said")).to_have_text("codex is revoked.")
    await expect(page.locator("#pairings")).not_to_contain_text("codex")
    assert watched.ask("POST", "/command", call, authorization=f"Bearer {token}")[0] == 401


async def test_a_daemon_that_ends_or_is_restarted_is_said(person, watched):
    page = await opened(person, watched)
    watched.ok("restart")

    await expect(page.locator("#state")).to_have_text("not connected")
    await expect(page.locator("#banner code")).to_have_text("browse dashboard")
    await expect(page.locator("#banner")).to_contain_text("restarted")


async def test_no_picture_is_taken_while_nobody_looks(person, watched):
    page, asked = await person.new_page(), []
    page.on("request", lambda it: asked.append(it.url) if "/picture/" in it.url else None)
    await page.add_init_script(
        "Object.defineProperty(document, 'hidden', {get: () => !window.looks})"
    )
    await page.goto(address(watched))
    await expect(page.locator("#tabs > li").first).to_be_visible()
    watched.ok("text")
    await expect(page.locator("#activity li").first).to_contain_text("text")
    assert asked == []

    await page.evaluate("window.looks = 1, document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator("#tabs img").first).to_be_visible()
