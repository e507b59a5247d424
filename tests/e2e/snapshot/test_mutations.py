"""Whatever a page does between a snapshot and a press, no other element is pressed.

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
from browse.browser.elements import element
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

ROUNDS = int(os.environ.get("BROWSE_ROUNDS") or 120)
LANES = 4  # pages side by side: most of a round is waiting
PAGE = """<div id=one></div><div id=two></div><script>
let made = 0;
const make = (name) => {
  const button = document.createElement('button');
  button.textContent = name;
  button.mark = ++made;
  return button;
};
const NAMES = ['Edit', 'Edit', 'Edit profile', 'Delete', 'Save'];
const fill = () => { for (const box of [one, two]) box.replaceChildren(...NAMES.map(make)); };
fill();
window.pressed = [];
const record = ({ target }) => pressed.push([target.mark, target.textContent]);
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
    copy.mark = ++made;
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
REFUSALS = {Code.REF_STALE, Code.REF_CHANGED, Code.NOT_ACTIONABLE}


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[list[Tab]]:
    journal = LogFile(tmp_path_factory.mktemp("logs") / "dialogs.log")
    async with async_playwright() as driver:
        await scripts.register(driver.selectors)
        browser = await axtree.launched(driver)
        pages = [await (await browser.new_context()).new_page() for _ in range(LANES)]
        for page in pages:
            await page.set_content(PAGE)
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


async def marks(tab: Tab) -> dict[str, list[object]]:
    """What a snapshot shows now: the mark and the name of each button, by its ref."""
    taken = await snapshot.take_snapshot(tab, snapshot.SnapshotOptions(interactive=True))
    shown = await tab.page.evaluate(
        "pressed.length = 0, all().filter(it => !it.hidden).map(it => it.mark)"
    )
    assert len(taken.rows) == len(shown)
    return {
        snapshot.ref_of(row): [mark, row.name] for row, mark in zip(taken.rows, shown, strict=True)
    }


async def press(tab: Tab, ref: str) -> Code | None:
    try:
        found = await element.find_element(tab, ref, anyway=False)
        await click_and_fill.click(found, button="left", double=False, held="")
    except BrowseError as exc:
        return exc.code
    return None


async def play(tab: Tab, seed: int, rounds: int) -> int:
    """Press while things change; give how often something was pressed."""
    chance = random.Random(seed)
    pressed = 0
    for number in range(rounds):
        shown = await marks(tab)
        ref = chance.choice(list(shown))
        changes = [
            (chance.choice(KINDS), chance.randrange(1000)) for _ in range(chance.randrange(1, 5))
        ]
        mutating = tab.page.evaluate("list => { for (const [k, n] of list) mutate[k](n) }", changes)
        if number % 2:
            await mutating
            refused = await press(tab, ref)
        else:  # while it happens
            _, refused = await asyncio.gather(mutating, press(tab, ref))
        seen = await tab.page.evaluate("pressed")

        case = f"seed {seed}, round {number}, {ref}, {changes}"
        if refused is Code.TIMEOUT:  # a press that takes too long may have been one or not
            assert seen in ([], [shown[ref]]), case
            continue
        assert seen == ([] if refused else [shown[ref]]), case
        assert refused is None or refused in REFUSALS, case
        pressed += len(seen)
    return pressed


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
