"""Elements are found again, and pages are known again, on pages of every kind."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

import browse.commands  # noqa: F401 - the journal keeps real commands
from browse.auth.caller import ROOT
from browse.browser.elements import fingerprints
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.engine_name import ENGINE
from browse.browser.page import scripts
from browse.browser.tabs.refs import RefNumbers
from browse.core.errors import BrowseError, Code
from browse.core.log_file import LogFile
from browse.flow.fingerprint import likeness
from browse.flow.journal import FinishedCommand, FlowJournal
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.results import PageText
from browse.registry.spec import declared
from browse.registry.table import CommandTable
from support import axtree

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

CORPUS = sorted((Path(__file__).parents[1] / "aria").glob("*.html"))
# What each selector finds; null where only the driver can tell, because there are shadow roots.
MATCHES = """all => {
  const { querySelectorAll } = Document.prototype;
  const { getAttribute } = Element.prototype;
  const find = css => [...querySelectorAll.call(document, css)];
  if (find('*').some(it => it.shadowRoot instanceof ShadowRoot)) return null;
  return all.map(css => find(css).map(it => getAttribute.call(it, 'data-mark')));
}"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as driver:
        await scripts.register(driver.selectors)
        browser = await axtree.launched(driver)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def page(chromium: Browser) -> Page:
    return await chromium.new_page()


@dataclass
class Stand:
    """As much of a tab as is needed to look at its page."""

    page: Page
    id: int = 1
    closed: bool = False
    crashed: bool = False
    in_frame: bool = False
    refs: RefNumbers = field(default_factory=RefNumbers)

    def check_page(self) -> None:
        assert not self.crashed

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def frame(self) -> Any:
        return self.page.main_frame


async def address(page: Page, markup: str, selector: str = "#it") -> str:
    await page.set_content(markup)
    found = await page.query_selector(selector)
    assert found
    return await scripts.SELECTOR(found)


@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
async def test_address_finds_its_element_and_no_other(page: Page, file: Path):
    await page.goto(file.as_uri())
    addresses = await axtree.ask(page, "addresses")

    found = await page.evaluate(MATCHES, addresses)

    if found is None:
        found = [
            await page.locator(css).evaluate_all("all => all.map(it => it.dataset.mark)")
            for css in addresses
        ]
    assert found == [[str(at)] for at in range(len(addresses))]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<button id=it data-testid=pay>Pay</button>", '[data-testid="pay"]'),
        ("<button id=it>Pay</button>", "#it"),
        ('<p><button id=":r3:" name=pay class=it>Pay</button>', 'button[name="pay"]'),
        (
            '<button id=ember1234 class="it css-1x2y3z" aria-label="Pay now">',
            'button[aria-label="Pay now"]',
        ),
        ('<button id=mat-input-7 class="it"><button>', "button.it"),
        (
            "<p id=a><button>No</button></p><p id=b><button class=it>Pay</button></p>",
            "button.it",
        ),
        (
            "<ul id=rows><li><b>1</b><li><b>2</b><li><b class=active>3</b></ul>",
            "#rows > li:nth-of-type(3) > b",
        ),
        (
            '<input type=radio name=size value=s><input type=radio name=size value=l class="it">',
            'input[name="size"][value="l"]',
        ),
        ("<a href=/x>1</a><a class=it href='/y\"z'>2</a>", 'a[href="/y\\"z"]'),
    ],
)
async def test_address_leans_on_what_an_author_named(page: Page, markup: str, expected: str):
    wanted = next(it for it in ("#it", ".it", ".active") if it[1:] in markup)
    if "id=it" not in markup:
        wanted = wanted.replace("#", ".")

    assert await address(page, markup, wanted) == expected


async def test_address_of_a_twin_in_a_shadow_root_is_its_own(page: Page):
    card = "<button>Pay</button>"
    markup = (
        f"<x-card id=one><template shadowrootmode=open>{card}</template></x-card>"
        f"<x-card id=two><template shadowrootmode=open>{card}</template></x-card>{card}"
    )
    await page.goto("about:blank")
    await page.evaluate("html => document.body.setHTMLUnsafe(html)", markup)

    found = [await scripts.SELECTOR(it) for it in await page.query_selector_all("button")]

    assert len(set(found)) == 3
    assert [await page.locator(css).count() for css in found] == [1, 1, 1]


async def test_frame_is_found_by_what_led_to_it(page: Page):
    await page.set_content("<iframe></iframe><iframe name=ad></iframe>")
    inner = page.frames[2]
    await inner.set_content("<iframe srcdoc='<p>deep'></iframe>")
    deep = await (await inner.wait_for_selector("iframe")).content_frame()  # type: ignore[union-attr]
    assert deep

    path = await fingerprints.frame_path(deep)

    assert path == ('iframe[name="ad"]', "iframe")
    assert await fingerprints.frame_at(Stand(page), path) is deep  # type: ignore[arg-type]
    assert await fingerprints.frame_at(Stand(page), ("#gone",)) is None  # type: ignore[arg-type]


SAVE = ElementFingerprint("button", "Save", "button", "#save", (), False)


@pytest.mark.parametrize(
    ("markup", "strict", "found", "near"),
    [
        ("<button id=save>Save</button>", True, "Save", ""),
        ("<button id=other>Save</button>", True, "Save", ""),
        ("<button id=save>Delete all</button>", True, "", "Delete all"),
        ("<button id=save>Store</button>", False, "Store", ""),
        ("<a id=save href=/>Go</a><button>Save</button>", True, "Save", ""),
        ("<button>Save</button><button>Save</button>", True, "", ""),
        ("<p>Nothing</p>", True, "", ""),
    ],
)
async def test_element_is_found_again_or_not_at_all(
    page: Page, markup: str, strict: bool, found: str, near: str
):
    await page.set_content(markup)

    left, ref = await fingerprints.find_again(Stand(page), page.main_frame, SAVE, strict=strict)  # type: ignore[arg-type]

    assert (left.found.name if left.found else "", left.near.name if left.near else "") == (
        found,
        near,
    )
    assert (ref is None) == (left.found is None)


def shop(rows: int, offer: str = "") -> str:
    """A shop: what differs between visits is how many rows there are and what they say."""
    items = "".join(
        f'<li class="product {"sold-out" if at % 7 == 3 else ""}" id=p-{at} data-sku={at * 7919}>'
        f'<a href="/p/{at}"><img src="data:," alt=""><h3>Thing {at * 31}</h3></a>'
        f"<span class=price>{at}.99</span>{'<b class=badge>New</b>' if at % 3 == 1 else ''}"
        f"<button type=button class=buy>Buy</button></li>"
        for at in range(rows)
    )
    return f"""<title>Shop</title><header id=top><nav aria-label=Main><ul class=menu>
    <li><a href=/>Home</a><li><a href=/new>New</a><li><a href=/sale>Sale</a></ul></nav>
    <form role=search action=/s><input name=q type=search placeholder=Search>
    <button>Go</button></form></header><main><h1>{offer or "All things"}</h1>
    <aside class=filters><fieldset><legend>Size</legend>
    <label><input type=checkbox name=size value=s>S</label>
    <label><input type=checkbox name=size value=l>L</label></fieldset></aside>
    <ul class=products>{items}</ul><nav class=pages><a href=?2 rel=next>Next</a></nav></main>
    <footer><p>Imprint</p><a href=/imprint>Imprint</a></footer>"""


REDESIGNED = """<title>Shop</title><div id=root><div class=app-shell><div class=toolbar>
 <button aria-label=Menu class=icon-button></button><div class=brand>Shop</div>
 <div class=search-box><input type=text aria-label=Find></div></div>
 <section class=grid><article class=tile><div class=tile-media><picture><img src="data:,"></picture>
 </div><div class=tile-body><p class=tile-title>Thing</p><p class=tile-cost>1.99</p></div>
 <div class=tile-actions><a class=cta href=/1>Add</a></div></article></section>
 <div class=sheet role=dialog><h2>Filters</h2><div class=chips><button>S</button></div></div>
 </div></div>"""


async def sketch(page: Page, markup: str) -> str:
    await page.set_content(markup)
    return (await fingerprints.of_page(Stand(page))).sketch  # type: ignore[arg-type]


async def test_other_data_leaves_the_sketch_as_it_is(page: Page):
    usual = await sketch(page, shop(30))

    for other in (shop(31), shop(24, "Winter sale"), shop(300)):
        assert likeness(usual, await sketch(page, other)) >= 0.9


async def test_redesigned_page_has_another_sketch(page: Page):
    assert likeness(await sketch(page, shop(30)), await sketch(page, REDESIGNED)) <= 0.5


async def test_corpus_pages_are_told_apart(page: Page):
    sketches = []
    for file in CORPUS[:6]:
        await page.goto(file.as_uri())
        sketches.append((await fingerprints.of_page(Stand(page))).sketch)  # type: ignore[arg-type]

    pairs = [likeness(one, two) for at, one in enumerate(sketches) for two in sketches[at + 1 :]]
    assert max(pairs) <= 0.5


async def test_stored_page_has_the_sketch_of_the_page_and_nothing_in_it_runs(page: Page):
    asked: list[str] = []
    markup = (
        shop(30) + "<x-a><template shadowrootmode=open><p class=in-shadow>x</p></template></x-a>"
    )
    await page.goto("about:blank")
    await page.evaluate("html => document.documentElement.setHTMLUnsafe(html)", markup)
    live = await fingerprints.of_page(Stand(page), most_html=100_000)  # type: ignore[arg-type]
    page.on("request", lambda request: asked.append(request.url))

    hostile = live.html + "<script>document.title='ran'</script><img src=http://a.test/x onerror=1>"
    stored = await fingerprints.of_html(Stand(page), live.html)  # type: ignore[arg-type]
    await fingerprints.of_html(Stand(page), hostile)  # type: ignore[arg-type]

    assert "in-shadow" in live.html
    assert likeness(stored.sketch, live.sketch) == 1.0
    assert asked == []
    assert await page.title() != "ran"


async def test_page_that_is_too_long_is_not_kept(page: Page):
    await page.set_content(shop(30))

    assert (await fingerprints.of_page(Stand(page), most_html=500)).html == ""  # type: ignore[arg-type]


async def test_journal_keeps_the_page_that_was_read(page: Page, tmp_path: Path):
    await page.set_content(shop(3))
    journal, tab = FlowJournal(LogFile(tmp_path / "journal.jsonl")), Stand(page)
    spec, rest = CommandTable(declared()).split(("text", "main"))
    bound = bind(spec, rest, Surroundings("/tmp", Roots.of("/tmp")))

    async with journal.visit(tab, ROOT) as visit:  # type: ignore[arg-type]
        assert visit
    journal.add(visit, FinishedCommand(bound, PageText("All things", "about:blank")))
    async with journal.visit(tab, ROOT):  # type: ignore[arg-type]
        looking = [it for it in asyncio.all_tasks() if "how it looks" in it.get_name()]
    await asyncio.gather(*looking)
    await journal.close()

    assert "All things" in (journal.page_of(1, 1) or "")
    assert journal.page_of(1, 2) is None
    (step,) = journal.steps(1)
    assert step.after.title == "Shop"
    assert step.shape.chars == len("All things")


async def test_an_element_that_went_after_it_was_found_is_not_waited_for(chromium):
    page = await chromium.new_page()
    await page.set_content("<button>Save</button>")

    with pytest.raises(BrowseError, match=r"Ref @e7 is stale") as caught:
        await scripts.TEXT(page.locator(f"{ENGINE}=1@e7?"))

    assert caught.value.code is Code.REF_STALE
    await page.close()
