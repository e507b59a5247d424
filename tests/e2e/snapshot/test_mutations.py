"""Whatever a page does between a snapshot and a press, no other element is pressed.

Nor if the page is loaded again, and another caller, or only a part of a snapshot, was shown the
same numbers there.

Runs the library in this process against one Chromium, because hundreds of rounds through the client
would take too long. `BROWSE_SEED` repeats a run; `BROWSE_ROUNDS` makes a longer one.
"""

import asyncio
import os
import random
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from browse.browser.actions import click_and_fill
from browse.browser.actions.effects import ActionEffects
from browse.browser.elements import target
from browse.browser.elements.departures import Departure
from browse.browser.emulation.emulation import Emulation
from browse.browser.network.file_requests import FileRequests
from browse.browser.network.page_ids import PageIds
from browse.browser.page import scripts
from browse.browser.reading import snapshot
from browse.browser.tabs.dialogs import Dialogs
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code
from browse.core.log_file import LogFile
from support import axtree

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

ROUNDS = int(os.environ.get("BROWSE_ROUNDS") or 60)
LANES = 4  # pages side by side: most of a round is waiting
PAGE = """<div id=one></div><div id=two></div><script>
let made = 0;
const make = (name) => {
  const button = document.createElement('button');
  button.textContent = name;
  button.mark = `${performance.timeOrigin} ${++made}`;
  return button;
};
const NAMES = ['Edit', 'Edit', 'Edit profile', 'Delete', 'Save'];
const fill = () => { for (const box of [one, two]) box.replaceChildren(...NAMES.map(make)); };
fill();
// Kept over a reload.
const pressed = () => JSON.parse(sessionStorage.pressed || '[]');
const record = ({ target }) => {
  sessionStorage.pressed = JSON.stringify([...pressed(), [target.mark, target.textContent]]);
};
document.addEventListener('click', record, true);
const all = () => [...document.querySelectorAll('button')];
const pick = (number) => all()[number % Math.max(all().length, 1)];
const plenty = () => all().filter((it) => !it.hidden).length > 3;
window.mutate = {
  insert: (n) => (n % 2 ? one : two).prepend(make(NAMES[n % 5])),
  remove: (n) => plenty() && pick(n).remove(),
  reorder: (n) => { const it = pick(n); it.parentNode.append(it); },
  rename: (n) => { pick(n).textContent = NAMES[(n + 1) % 5]; },
  copy: (n) => { const it = pick(n), copy = make(it.textContent); it.replaceWith(copy); },
  clone: (n) => {
    const it = pick(n), copy = it.cloneNode(true);
    copy.mark = `${performance.timeOrigin} ${++made}`;
    it.replaceWith(copy);
  },
  move: (n) => (n % 2 ? one : two).append(pick(n)),
  hide: (n) => { const it = pick(n); it.hidden = !it.hidden && plenty(); },
  render: (n) => n % 4 === 0 && fill(),
  nothing: () => 0,
};
</script>"""
KINDS = [
    "insert", "remove", "reorder", "rename", "copy", "clone", "move", "hide", "render", "nothing",
]  # fmt: skip
ADDRESS = "http://page.example/"
ME, OTHER = "me", "another caller"
REFUSALS = {Code.REF_STALE, Code.REF_CHANGED, Code.NOT_ACTIONABLE}


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Tab]]:
    journal = LogFile(tmp_path_factory.mktemp("logs") / "dialogs.log")
    async with async_playwright() as driver:
        await scripts.register(driver.selectors)
        browser = await axtree.launched(driver)
        pages = [await (await browser.new_context()).new_page() for _ in range(LANES)]
        for page in pages:
            await page.route("**/*", lambda it: it.fulfill(body=PAGE, content_type="text/html"))
            await page.goto(ADDRESS)
        yield [
            Tab(
                1,
                page,
                lambda: None,
                explained=lambda _, problem: problem,
                dialogs=Dialogs(page.context, journal),
                emulation=Emulation(page.context),
                navigation_ms=30_000,
                files=FileRequests(PageIds()),
            )
            for page in pages
        ]
        await browser.close()


Shown = dict[str, list[object]]


async def look(tab: Tab, caller: str, *, most: int | None = None) -> Shown:
    """Show a caller a snapshot, or its first lines: the mark and name of each button, by ref."""
    tab.refs.begin(caller)
    taken = await snapshot.take_snapshot(tab, snapshot.SnapshotOptions(interactive=True))
    marks = await tab.page.evaluate("all().filter(it => !it.hidden).map(it => it.mark)")
    rows = list(zip(taken.rows, marks, strict=True))[:most]
    shown: Shown = {snapshot.ref_of(row): [mark, row.name] for row, mark in rows}
    tab.refs.seen_by(caller, tab.refs.taken(), shown)
    return shown


async def press(tab: Tab, ref: str) -> Code | None:
    tab.refs.begin(ME)
    try:
        found = await target.find(tab, ref, first=target.FirstStep("press"))
        await click_and_fill.click(
            tab,
            ref,
            found,
            button="left",
            double=False,
            held="",
            patience=None,
            seen=ActionEffects(Departure()),
        )
    except BrowseError as exc:
        return exc.code
    return None


async def play(tab: Tab, seed: int, rounds: int) -> int:
    """Press while things change; give how often something was pressed."""
    chance = random.Random(seed)
    pressed = 0
    for number in range(rounds):
        shown = await look(tab, ME)
        await tab.page.evaluate("sessionStorage.clear()")
        ref = chance.choice(list(shown))
        if not chance.randrange(4):
            pressed += await play_navigation(tab, chance, shown, ref)
            continue
        changes = [
            (chance.choice(KINDS), chance.randrange(1000)) for _ in range(chance.randrange(1, 5))
        ]
        mutating = tab.page.evaluate("list => { for (const [k, n] of list) mutate[k](n) }", changes)
        if number % 2:
            await mutating
            refused = await press(tab, ref)
        else:  # while it happens
            _, refused = await asyncio.gather(mutating, press(tab, ref))
        seen = await tab.page.evaluate("pressed()")

        case = f"seed {seed}, round {number}, {ref}, {changes}"
        if refused is Code.TIMEOUT:  # a press that takes too long may have been one or not
            assert seen in ([], [shown[ref]]), case
            continue
        assert seen == ([] if refused else [shown[ref]]), case
        assert refused is None or refused in REFUSALS, case
        pressed += len(seen)
    return pressed


async def play_navigation(tab: Tab, chance: random.Random, shown: Shown, ref: str) -> int:
    """Press what was shown before a new document, or is shown in it; give how often."""
    case = f"{ref} of {tab.refs.doc}"
    if chance.randrange(2):  # while it loads
        _, refused = await asyncio.gather(tab.page.reload(), press(tab, ref))
        seen = await tab.page.evaluate("pressed()")
        assert seen in ([], [shown[ref]]), case
        return len(seen)
    await tab.page.reload()
    shown = {}
    if chance.randrange(2):
        await look(tab, OTHER)
    if chance.randrange(2):
        shown = await look(tab, ME, most=chance.randrange(1, 6))
    refused = await press(tab, ref)
    seen = await tab.page.evaluate("pressed()")
    if refused is Code.TIMEOUT and ref in shown:  # it may have been pressed or not
        assert seen in ([], [shown[ref]]), case
        return len(seen)
    assert seen == ([shown[ref]] if ref in shown else []), case
    assert refused is (None if ref in shown else Code.REF_STALE), case
    return len(seen)


@pytest.mark.timeout(max(300, ROUNDS))
async def test_no_other_element_is_ever_pressed(
    tabs: list[Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click_and_fill, "ACTION_MS", 1000)
    seed = int(os.environ.get("BROWSE_SEED") or random.randrange(10**6))

    pressed = sum(
        await asyncio.gather(
            *(play(tab, seed + lane, ROUNDS // LANES) for lane, tab in enumerate(tabs))
        )
    )

    print(f"seed {seed}: {ROUNDS} rounds, {pressed} presses, all on what was shown")
    assert pressed > ROUNDS // 10, f"seed {seed}: hardly anything was pressed"
