"""What pages do in the live view, and what a person may do with them."""

import asyncio
import json
import re

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from support.cli import until
from support.live_view import at, refused, run, take_control, view

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]
ASKING = """<title>Asks</title><style>body{margin:0}button{position:absolute;left:0;width:300px;
height:100px}</style><p id=log></p><button style="top:100px" onclick="log.textContent+=
confirm('Sure <b>?')+''+prompt('Name?','me')+';'">Ask</button><input type=file id=f
multiple accept="text/*" oncancel="log.textContent+='no file;'" onchange="Promise.all(
[...files].map(async it=>it.name+it.size+' '+(await it.text()).slice(-4))).then(all=>{
confirm('Sent?');log.textContent+=all+';'})"
style="position:absolute;top:200px;left:0;width:300px;height:100px">
<button style="top:300px" onclick="window.open('/popup')">Open</button>
<button style="top:400px" onclick="document.documentElement.requestFullscreen();
for(let i=0;i<3000;i++)console.log('x'.repeat(999))">Flood</button>
<a style="position:absolute;top:500px;left:0;width:300px;height:100px;display:block"
download="<i>report" href="data:text/plain,hello">Save</a>"""


@pytest_asyncio.fixture(loop_scope="module")
async def page(person, browser, site):
    site.page("/popup", "<title>Popup</title><p>Here</p>")
    await run(browser, "goto", site.page("/asks", ASKING))
    opened = await view(person, browser)
    await take_control(opened)
    yield opened
    await opened.context.close()
    await run(browser, "resume")


def newest(browser) -> str:
    """Return the newest entry of the activity feed."""
    return browser.ask("GET", "/activity/history?limit=1")[1]


async def press(page: Page, y: float) -> None:
    await page.mouse.click(*await at(page, 100, y))


@pytest.mark.issue(16)
async def test_a_person_answers_the_pages_dialogs(page, browser):
    await press(page, 150)
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("Sure <b>?", exact=True)).to_be_visible()
    await dialog.get_by_role("button", name="OK").click()
    await expect(dialog.get_by_text("Name?")).to_be_visible()
    await dialog.get_by_label("Your answer").fill("Ann")
    await dialog.get_by_role("button", name="OK").click()
    await run(browser, "wait", "--text", "trueAnn")
    await press(page, 150)
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(dialog.get_by_text("Name?")).to_be_visible()
    await page.keyboard.press("Escape")

    await run(browser, "wait", "--text", "falsenull")


@pytest.mark.issue(16)
async def test_files_that_the_page_asks_for_come_from_the_person_in_control(
    page, person, browser, tmp_path
):
    watcher = await view(person, browser)
    long, empty = tmp_path / "résumé.txt", tmp_path / "empty.txt"
    long.write_bytes(b"x" * 500_000 + b"last")
    empty.write_bytes(b"")
    dialog = page.get_by_role("dialog", name="The page asks for a file")
    await press(page, 250)
    await dialog.get_by_role("button", name="Cancel").click()
    await run(browser, "wait", "--text", "no file;")
    await press(page, 250)
    await expect(dialog.get_by_text("text/*")).to_be_visible()
    await expect(watcher.get_by_role("dialog")).to_have_count(0)
    await dialog.get_by_label("File from your computer").set_input_files([long, empty])
    await dialog.get_by_role("button", name="Give it to the page").click()
    asks = page.get_by_role("dialog", name="The page asks", exact=True)
    await asks.get_by_role("button", name="OK").click()

    await run(browser, "wait", "--text", "résumé.txt500004 last,empty.txt0")
    await expect(page.get_by_role("log", name="Notices")).to_contain_text("The page has 2 files.")
    await press(page, 250)
    await expect(dialog).to_be_visible()
    await take_control(watcher)
    await expect(dialog).to_be_hidden()
    await watcher.context.close()


@pytest.mark.issue(16)
async def test_downloads_floods_and_full_screen_do_not_stop_it(page, browser):
    notices = page.get_by_role("log", name="Notices")
    await press(page, 550)
    await expect(notices.get_by_text("report")).to_be_visible()
    await press(page, 450)
    await press(page, 150)

    await page.get_by_role("dialog").get_by_role("button", name="OK").click()
    await page.get_by_role("dialog").get_by_role("button", name="OK").click()
    await run(browser, "wait", "--text", "trueme")


@pytest.mark.issue(16)
async def test_a_popup_of_the_person_is_shown_and_is_theirs(page, browser):
    await press(page, 350)
    await expect(page.get_by_role("button", name="Popup")).to_have_attribute("aria-current", "true")
    tabs = json.loads((await run(browser, "tabs", "--json")).out)["tabs"]
    stopped = await refused(browser, "reload", "--tab-id", str(tabs[-1]["id"]))

    assert "A person has tab" in stopped.err
    await page.get_by_role("button", name="Asks").click()
    await expect(page.get_by_label("Address of the page")).to_have_value(re.compile("/asks$"))


@pytest.mark.issue(16)
async def test_an_address_is_checked_as_that_of_goto(page, browser, site):
    address = page.get_by_label("Address of the page")
    await address.fill("http://169.254.169.254/")
    await address.press("Enter")
    await expect(page.get_by_role("log", name="Notices")).to_contain_text("169.254.169.254")
    await address.fill(f"127.0.0.1:{site.port}/popup")
    await address.press("Enter")
    await run(browser, "wait", "--url", "/popup")
    await page.get_by_role("button", name="Back", exact=True).click()

    await run(browser, "wait", "--url", "/asks")


async def test_a_command_that_waits_does_not_keep_the_person_from_going_on(page, browser, site):
    waiting = asyncio.create_task(run(browser, "wait", "--url", "/popup"))
    await asyncio.to_thread(until, lambda: '"wait"' in newest(browser))
    address = page.get_by_label("Address of the page")
    await address.fill(f"127.0.0.1:{site.port}/popup")
    await address.press("Enter")

    assert "URL matches" in (await waiting).out


@pytest.mark.issue(16)
async def test_a_note_reaches_the_agent_with_the_element(page, browser):
    await page.get_by_role("button", name="Note to the agent").click()
    await press(page, 150)
    await page.get_by_label("Note to the agent").get_by_role("textbox").fill("Press <this> first")
    await page.get_by_role("button", name="Send note").click()
    await expect(page.get_by_role("log", name="Notices")).to_contain_text("in the agent's inbox")
    inbox = (await run(browser, "inbox")).out
    await run(browser, "inbox", "done", re.findall(r"\[(\w{6})\]", inbox)[0])
    await expect(page.get_by_role("log", name="Notices")).to_contain_text("done with your note")
    await page.get_by_role("button", name="Note to the agent").click()
    await expect(page.get_by_role("list", name="Your last notes")).to_contain_text("done Press")

    assert "Press <this> first" in inbox
    assert '[button] "Ask"' in inbox or "Ask" in inbox
    await run(browser, "inbox", "--clear")


@pytest.mark.issue(16)
async def test_wheel_touch_and_paste_reach_the_page(page, browser, site):
    address = page.get_by_label("Address of the page")
    await address.fill(site.page("/long", LONG))
    await address.press("Enter")
    await run(browser, "wait", "--url", "/long")
    await page.mouse.move(*await at(page, 100, 300))
    await page.mouse.wheel(0, 400)
    await run(browser, "wait", "--text", "scrolled")
    await page.mouse.click(*await at(page, 100, 50))
    await page.evaluate(PASTE, "Pasted words")
    await run(browser, "wait", "--text", "typed Pasted words")
    await page.evaluate(TOUCH, await at(page, 100, 300))

    await run(browser, "wait", "--text", "touched touchend")


LONG = """<title>Long</title><style>body{margin:0;height:5000px}input,p{position:fixed;left:0}
input{top:0;width:300px;height:100px}p{top:120px}</style><input><p id=log></p><script>
const add=w=>log.textContent+=w+' ';onscroll=()=>add('scrolled');
document.querySelector('input').oninput=e=>add('typed '+e.target.value);
for(const n of ['touchstart','touchend'])addEventListener(n,()=>add('touched '+n))</script>"""
PASTE = """words => { const data = new DataTransfer(); data.setData("text/plain", words);
document.getElementById("keys").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data,
bubbles: true, cancelable: true})) }"""
TOUCH = """([x, y]) => { const at = {pointerType: "touch", pointerId: 7, clientX: x, clientY: y,
bubbles: true}; const picture = document.getElementById("picture");
picture.setPointerCapture = () => {};
for (const name of ["pointerdown", "pointermove", "pointerup"])
picture.dispatchEvent(new PointerEvent(name, at)) }"""


@pytest.mark.issue(16)
async def test_what_a_person_did_is_told_when_the_watch_ends(person, browser, site):
    await run(browser, "goto", site.page("/asks", ASKING))
    started, again = await run(browser, "watch"), await run(browser, "watch")
    stopped = await refused(browser, "goto", "about:blank")
    opened = await refused(browser, "newtab")
    page = await view(person, browser)
    await take_control(page)
    address = page.get_by_label("Address of the page")
    await address.fill(site.page("/long", LONG))
    await address.press("Enter")
    await run(browser, "wait", "--url", "/long")
    await page.mouse.click(*await at(page, 100, 50))
    await page.keyboard.type("private")
    await run(browser, "wait", "--text", "typed private")
    await page.get_by_role("button", name="Give back").click()
    await expect(page.get_by_text("The agent has control")).to_be_visible()
    still = await refused(browser, "click", "input")
    ended = await run(browser, "watch", "stop")
    await page.context.close()

    assert started.out.startswith("WATCHING")
    assert "Already watching" in again.out
    assert all("watch stop" in it.err for it in (stopped, opened, still))
    assert ended.out.startswith("WATCH STOPPED")
    assert f"went to: {site.url}/long" in ended.page
    assert "used: [textbox]" in ended.page
    assert '- @e1 [button] "Ask"' in ended.page
    assert "Not watching" in (await run(browser, "watch", "stop")).out
    await run(browser, "goto", "about:blank")
