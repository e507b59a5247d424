"""A person takes over a tab in the live view, from a second browser, and gives it back."""

import asyncio
import re

import pytest
from playwright.async_api import Page, expect

from browse import _exit
from support.live_view import address_of, at, open_view, refused, run
from support.own_pages import violations

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
SHOP = """<title>Shop</title><style>body{margin:0}form{position:absolute;top:100px;left:50px}
input,button{font-size:24px;width:300px;display:block;margin:10px}</style>
<form onsubmit="event.preventDefault();done.hidden=false;sent.textContent=document.cookie">
<label>Name <input name=name></label><label>Code <input name=code type=password></label>
<button>Order</button></form>
<p id=done hidden>Ordered <a href="#x">Receipt</a><span id=sent></span></p>
<script>document.cookie='login=yes';window.loads=(window.loads||0)+1</script>"""


async def enter_the_code(page: Page) -> None:
    """Do what the agent asked for, with mouse and keys."""
    await expect(page.get_by_text("You have control")).to_be_visible()
    await expect(page.locator("#reason")).to_have_text("Please enter the code")
    await page.mouse.click(*await at(page, 200, 150))
    await page.keyboard.press("End")
    await page.keyboard.type(" of it")
    await page.keyboard.press("Tab")
    await page.keyboard.type("secret-7")
    await page.keyboard.press("Enter")
    assert await violations(page) == []
    await page.get_by_label("Message for the agent").fill("The code was sent")
    await page.get_by_role("button", name="Give back").click()


@pytest.mark.issue(16)
async def test_a_person_fills_a_form_and_the_agents_refs_still_work(person, browser, site):
    await run(browser, "goto", site.page("/shop", SHOP))
    seen = (await run(browser, "snapshot", "-i")).page
    refs = dict(reversed(found) for found in re.findall(r'(@e\d+) \[\w+\] "(\w+)"', seen))
    await run(browser, "fill", refs["Name"], "Half")
    words = "handoff", "--wait", "--no-open", "Please enter the code"
    handed = await asyncio.to_thread(browser.start, *words)
    page = await open_view(person, await address_of(handed))
    stopped = await refused(browser, "click", refs["Order"])
    still = (await run(browser, "snapshot", "-i")).page
    await enter_the_code(page)
    out, err = await asyncio.to_thread(handed.communicate, timeout=150)
    said = out.decode()

    assert stopped.code == _exit.REFUSED
    assert "A person has tab" in stopped.err
    assert "handoff --wait" in stopped.err
    assert "Half" in still  # what reads is not stopped
    assert handed.returncode == 0, err
    assert "RESUMED: the person gave back tab" in said
    assert "the person says: The code was sent" in said
    assert 'used: [textbox] "Name"' in said
    assert 'used: [textbox] "Code"' in said
    assert re.search(r'\+ @e\d+ \[link\] "Receipt"', said)
    assert "secret-7" not in said
    await run(browser, "click", refs["Order"])
    assert (await run(browser, "value", refs["Name"])).page == "Half of it"
    assert (await run(browser, "js", "loads + sent.textContent")).page == "1login=yes"
    await expect(page.get_by_text("The agent has control")).to_be_visible()
