"""Several viewers, lost connections, and pages that misbehave, in the live view."""

import pytest
from playwright.async_api import expect

from browse import _exit
from support.live_view import at, refused, run, take_control, view

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
PAD = """<title>Pad</title><style>body{margin:0}#pad{width:1280px;height:600px}</style>
<div id=pad></div><p id=log></p><script>const found=[];for(const n of ['mousedown','mouseup',
'keydown','keyup'])addEventListener(n,e=>{found.push(n+(e.key??''));log.textContent=found},true)
</script>"""


async def log_of(project, *, last: str) -> str:
    """Return what the page has noticed, once the last thing is in it."""
    await run(project, "wait", "--text", last)
    return (await run(project, "text", "#log")).page


@pytest.mark.issue(16)
async def test_one_controls_and_the_other_watches_until_it_takes_over(person, browser, site):
    await run(browser, "goto", site.page("/pad", PAD))
    first, second = await view(person, browser), await view(person, browser)
    await take_control(first)
    await expect(second.get_by_text("Another viewer has control · 2 viewers")).to_be_visible()
    await second.mouse.click(*await at(second, 100, 100))
    await second.keyboard.press("w")
    await first.mouse.move(*await at(first, 100, 100))
    await first.mouse.down()
    await first.keyboard.down("a")
    await log_of(browser, last="keydowna")
    await take_control(second)
    await expect(first.get_by_text("Another viewer has control")).to_be_visible()

    assert await log_of(browser, last="keyupa") == "mousedown,keydowna,mouseup,keyupa"
    stopped = await refused(browser, "scroll")
    assert stopped.code == _exit.REFUSED
    assert "taken in the live view" in stopped.err
    await second.keyboard.press("w")
    other = (await run(browser, "newtab", "--json")).json["tabId"]
    await run(browser, "handoff", "--no-open")
    notices = first.get_by_role("log", name="Notices")
    await expect(notices).to_contain_text(f"asks for your help in tab {other}")
    await run(browser, "resume")
    await run(browser, "closetab")
    await second.get_by_role("button", name="Give back").click()
    await expect(second.get_by_text("The agent has control")).to_be_visible()
    await run(browser, "scroll")
    for page in (first, second):
        await page.context.close()


@pytest.mark.issue(16)
async def test_a_viewer_that_is_cut_off_in_a_drag_lets_go(person, browser, site):
    await run(browser, "goto", site.page("/pad", PAD))
    page = await view(person, browser)
    await take_control(page)
    await page.mouse.move(*await at(page, 100, 100))
    await page.mouse.down()
    await page.keyboard.down("Shift")
    await page.mouse.move(*await at(page, 300, 300))
    await log_of(browser, last="keydownShift")
    await page.context.close()

    assert await log_of(browser, last="keyupShift") == "mousedown,keydownShift,mouseup,keyupShift"
    assert "you took back tab" in (await run(browser, "resume")).out
