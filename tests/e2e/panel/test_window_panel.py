"""The side panel in the agent's own window, used as a person does: by shortcut, mouse and keys."""

import base64
import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image

from support.cli import Project, until
from support.side_panel import Window, windowed
from support.window import needs_window, person

pytestmark = [pytest.mark.e2e, needs_window]
CSS = "h1 { color: red }\n#title { color: rgb(0, 0, 255); height: 40px; margin: 4px 8px }\n"
PAGE = """<title>Shop</title><link rel=stylesheet href=/panel.css><body style="margin: 0">
<h1 id=title>Tea</h1><button onclick="document.title = 'bought'">Buy</button>"""
COLOUR = "rgb(0, 128, 0)"
HEAVY = (Path(__file__).parent / "heavy.js").read_text("utf-8")


@pytest.fixture(scope="module")
def window(tmp_path_factory) -> Iterator[Project]:
    """One daemon with one window for all tests here."""
    made = windowed(tmp_path_factory.mktemp("panel"))
    yield made
    made.end()


@pytest.fixture
def shop(window, site) -> Iterator[Window]:
    site.page("/panel.css", CSS, content_type="text/css")
    made = Window(window, site.page("/panel", PAGE))
    # The extension has come to the page by then: a person sees the pill, too.
    until(lambda: " refs" in made.drawn(), what="a pill on a new page")
    yield made
    made.close()


def test_the_picker_picks_a_quick_edit_changes_the_page_and_undo_restores_it(shop):
    def colour() -> str:
        return str(shop.project.ok("css", "#title", "color").page)

    shop.choose("inspector")
    shop.pick("Pick an element", 30, 20)

    words = shop.panel.until("document.querySelector('.rules')?.innerText")
    assert words.index("#title") < words.index("h1")
    assert "/panel.css:2" in words
    assert "(overridden)" in words
    assert "4 8 4 8" in shop.panel.js("document.querySelector('.boxes').ariaLabel")
    shop.panel.js("{ const it = document.querySelector('#edit-color'); it.focus(); it.select(); }")
    shop.panel.send("Input.insertText", text=COLOUR)
    shop.panel.js("document.querySelector('#edit-opacity').focus()")
    shop.panel.until("document.querySelector('.changes')?.innerText.includes('0, 128, 0')")
    # The pane was drawn anew, and the keyboard is where it was.
    assert shop.panel.js("document.activeElement.id") == "edit-opacity"
    assert colour() == COLOUR
    assert shop.violations() == []
    shop.press("Send to code")
    shop.panel.until("document.querySelector('#pane-inspector').innerText.includes('note')")
    sent = shop.project.ok("inbox", "--clear", "--json").json["messages"][0]
    assert f"change: color: rgb(0, 0, 255) → {COLOUR}" in sent["page"]["message"]
    assert "/panel.css:2 #title" in sent["page"]["message"]
    shop.press("Send to agent")
    told = until(lambda: shop.project.ok("inbox", "--json").json["messages"], what="a message")
    shop.project.ok("inbox", "--clear")
    assert "#title" in told[0]["page"]["message"]
    shop.panel.js("document.querySelector('#undo').click()")
    shop.panel.until("document.querySelector('#undo')?.disabled")
    assert colour() == "rgb(0, 0, 255)"


def test_a_note_on_an_element_reaches_the_agent_who_says_that_it_is_done(shop):
    shop.choose("notes")
    shop.pick("Point at something", 15, 60)
    shop.panel.until("document.querySelector('#pane-notes').innerText.includes('that you chose')")
    shop.panel.js("document.querySelector('#note').focus()")
    shop.panel.send("Input.insertText", text="Make it green")
    shop.panel.js("document.querySelector('#pane-notes form').requestSubmit()")
    shop.panel.until("document.querySelector('.notes .open')?.innerText.includes('green')")

    note = shop.project.ok("inbox", "--json").json["messages"][0]
    assert (note["page"]["message"], note["page"]["name"]) == ("Make it green", "Buy")
    assert Path(note["picture"]).read_bytes().startswith(b"\x89PNG")
    shop.project.ok("click", note["ref"])
    assert shop.project.ok("title").page == "bought"
    shop.project.ok("inbox", "done", note["id"])
    shop.panel.until("document.querySelector('.notes .done')?.innerText")
    assert shop.violations() == []
    shop.project.ok("inbox", "--clear")


def test_the_pill_counts_opens_the_panel_and_is_no_part_of_the_page(shop):
    until(lambda: "0 refs" in shop.drawn(), what="a pill on a new page")
    shop.project.ok("snapshot", "-i")
    until(lambda: "1 ref" in shop.drawn(), what="the number of refs")
    for words in (["text"], ["snapshot"], ["html"], ["accessibility"], ["text", "--hidden"]):
        said = shop.project.ok(*words).out
        assert "browse ·" not in said
        assert "browse-layer" not in said
    assert not any(shop.project.ok("cleanup", "--json").json["found"].values())
    until(lambda: "pill faded" in shop.drawn_classes(), what="a pill that has faded")

    person(shop.project, "key", "ctrl+shift+y")
    until(lambda: not shop.panels(), what="a closed panel")
    width, height = shop.page.until("innerWidth > 1000 && [innerWidth, innerHeight]")
    shop.click(width - 60, height - 30)
    shop.panel = shop.opened()


def test_pictures_show_the_page_without_what_we_draw_on_it(shop):
    shop.project.ok("snapshot", "-i")
    shop.choose("refs")
    shop.panel.js("document.querySelector('#overlays').click()")
    until(lambda: "@e1 Buy" in shop.drawn(), what="a box around the button")

    pictures = []
    for words in ([], ["--viewport"], ["--selector", "body"]):
        shop.project.ok("screenshot", *words, "own.png")
        pictures.append((shop.project.root / "own.png").read_bytes())
    seen = shop.page.send("Page.captureScreenshot", format="png")["data"]

    assert [_amber(it) for it in pictures] == [0] * 3
    assert _amber(base64.b64decode(seen)) > 100
    shop.project.ok("screenshot", "--if-changed", "own.png")
    shop.panel.js("document.querySelector('#overlays').click()")
    until(lambda: "@e1 Buy" not in shop.drawn(), what="no box any more")
    assert "Not changed" in shop.project.ok("screenshot", "--if-changed", "own.png").out


def _amber(picture: bytes) -> int:
    """Count the pixels in the colour of what we draw."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    reds, greens, blues = (list(band.tobytes()) for band in image.split())
    rows = zip(reds, greens, blues, strict=True)
    return sum(red > 200 and 100 < green < 200 and blue < 90 for red, green, blue in rows)


def test_refs_are_listed_and_drawn_on_the_page(shop):
    shop.project.ok("snapshot", "-i")
    shop.choose("refs")

    shop.panel.until("document.querySelector('.refs')?.innerText.includes('@e1 button Buy')")
    shop.panel.js("document.querySelector('#overlays').click()")
    until(lambda: "@e1 Buy" in shop.drawn(), what="a box around the button")
    assert shop.violations() == []
    shop.panel.js("document.querySelector('#overlays').click()")
    until(lambda: "@e1 Buy" not in shop.drawn(), what="no box any more")


def test_the_buttons_do_what_they_say(shop):
    shop.panel.js("document.querySelector('#screenshot').click()")
    shop.panel.until("document.querySelector('#toast').innerText.startsWith('Saved')")
    path = shop.panel.until(
        "document.querySelector('#toast img')?.complete"
        " && document.querySelector('#toast code').innerText"
    )

    assert Path(path).read_bytes().startswith(b"\x89PNG")
    assert shop.violations() == []
    shop.project.ok("js", "document.cookie = 'theme=dark; Max-Age=60'")
    shop.panel.js("document.querySelector('#cookies').click()")
    shop.panel.until("document.querySelector('#toast').innerText.includes('theme')")
    assert shop.violations() == []
    shop.press("Delete them")
    shop.panel.until("document.querySelector('#toast').innerText.startsWith('1 cookie deleted')")
    assert shop.project.ok("js", "document.cookie").page == ""
    shop.panel.js("document.querySelector('#cleanup').click()")
    shop.panel.until("document.querySelector('#toast').innerText.includes('nothing to hide')")


def test_heavy_tabs_are_offered_and_those_that_the_person_unticks_stay(shop, site):
    light = shop.project.ok("tabs", "--json").json["tabs"][0]["id"]
    first, second = (
        shop.project.ok("newtab", site.page(f"/heavy-{name}", "<p>x"), "--json").json["tabId"]
        for name in ("first", "second")
    )
    shop.panel.js(HEAVY)

    def measured(size: str) -> list[int]:
        """Let memory be measured; return the tabs that are ticked then."""
        shop.panel.js("aMinuteLater()")
        shop.project.ok("url")
        shop.panel.until(f"document.querySelector('#heavy').innerText.includes('{size}')")
        boxes = "[...document.querySelectorAll('#heavy :checked')]"
        return sorted(shop.panel.js(f"{boxes}.map((it) => Number(it.value))"))

    assert measured("5.00 GB") == [first, second]
    assert shop.violations() == []
    shop.panel.js(f"document.querySelector('#close-{second}').click()")
    assert measured("6.00 GB") == [first]
    shop.press("Close these tabs")
    until(lambda: len(shop.project.ok("tabs", "--json").json["tabs"]) == 2, what="a closed tab")

    left = [it["id"] for it in shop.project.ok("tabs", "--json").json["tabs"]]
    shop.panel.js("asTheyAre()")
    shop.project.ok("closetab", str(second))
    shop.project.ok("tab", str(light))
    assert left == [light, second]


def test_the_ticket_of_the_panel_is_of_no_use_to_others(shop):
    kept = shop.panel.js("chrome.storage.session.get('connection')")["connection"]
    address = f"http://127.0.0.1:{kept['port']}/command"
    headers = {"Authorization": f"Bearer {kept['ticket']}"}
    origins: list[dict[str, str]] = [{}, {"Origin": "https://evil.test"}]

    answers = [httpx.post(address, json={"command": "url"}, headers=headers | it) for it in origins]

    assert [it.status_code for it in answers] == [401, 403]
    assert shop.page.js("typeof chrome.storage") == "undefined"
