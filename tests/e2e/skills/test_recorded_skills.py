"""Skills that are recorded from what was done by hand, and checked against pages that change."""

import json
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from browse.skills.installed import BUNDLED
from browse.skills.template import LIBRARY, SDK
from support.cli import Project
from support.skills import write_skill

pytestmark = pytest.mark.e2e
TEAS = (("Assam", "3 €"), ("Assam Gold", "5 €"), ("Ceylon", "4 €"))
FORM = """<title>Tea</title><header><h1>Tea shop</h1></header><main><form action=/rec-found>
<label>Which tea <input name=q type=search></label>
<label>PIN <input name=pin type=password></label><button class=go>Search</button></form></main>"""
SECRET = "hunter2-is-my-pin"


@pytest.fixture
def home(browser: Project) -> Iterator[Path]:
    """The folder of the owner's own skills, empty before and after."""
    folder = Path(browser.env["HOME"]) / ".gstack" / "browser-skills"
    yield folder
    for each in (folder, browser.root / ".gstack" / "browser-skills"):
        shutil.rmtree(each, ignore_errors=True)


def shop(site, form: str = FORM, found: str = "") -> str:
    """A shop that finds teas by their name."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        word = parse_qs(urlsplit(request.path).query).get("q", [""])[0].lower()
        teas = [(name, price) for name, price in TEAS if word in name.lower()]
        rows = "".join(f"<tr><td>{name}<td>{price}" for name, price in teas)
        head = "<table id=prices><tr><th>name<th>price"
        request.send_response(200)
        request.send_header("content-type", "text/html; charset=utf-8")
        request.end_headers()
        page = found or f"{head}{rows}</table><p id=count>{len(teas)} teas</p>"
        request.wfile.write(f"{form}{page}".encode())

    site.answer("/rec-found", answer)
    return site.page("/rec-shop", form)


def by_hand(browser: Project, url: str) -> None:
    browser.post("goto", url)
    browser.post("snapshot", "-i")
    browser.post("fill", "label=Which tea", "assam")
    browser.ask("POST", "/command", {"command": "click", "args": ["#not-there"]})
    browser.post("fill", "[name=pin]", SECRET)
    browser.post("click", "text=Search")
    browser.post("wait", "#prices")
    browser.post("table", "#prices")
    browser.post("text", "#count")


def test_what_was_done_by_hand_is_done_again_with_other_words(browser, site, home):
    url = shop(site)
    by_hand(browser, url)

    made = browser.ok("skill", "record", "tea-prices", "--json").json
    folder = home / "tea-prices"
    assert made["folder"] == str(folder)
    steps = [
        (it["command"], it.get("page", {}).get("gives"), it.get("how")) for it in made["steps"]
    ]
    assert steps == [
        ("goto", None, None), ("fill", None, None), ("fill", None, None), ("click", None, None),
        ("wait", None, None), ("table", "prices", "parser"), ("text", "count", "parser"),
    ]  # fmt: skip
    assert [(it["page"]["name"], it["required"]) for it in made["args"]] == [
        ("url", False), ("which_tea", False), ("pin", True),
    ]  # fmt: skip
    assert [(row["command"], row["reason"]) for row in made["leftOut"]] == [
        ("click", "it failed (no-match)")
    ]
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*")}
    assert (folder / LIBRARY).read_bytes() == SDK.read_bytes()
    assert [name for name, path in files.items() if SECRET in path.read_text("utf-8")] == []
    assert {path.stat().st_mode & 0o777 for path in files.values()} == {0o600}

    assert "3 tests passed" in browser.ok("skill", "test", "tea-prices").out
    ran = browser.ok("skill", "run", "tea-prices", "--arg", "pin=1")
    assert json.loads(ran.out) == {
        "prices": [{"name": "Assam", "price": "3 €"}, {"name": "Assam Gold", "price": "5 €"}],
        "count": "2 teas",
    }
    other = browser.ok("skill", "run", "tea-prices", "--arg", "pin=1", "--arg", "which_tea=ceylon")
    assert json.loads(other.out)["prices"] == [{"name": "Ceylon", "price": "4 €"}]
    assert "--arg pin=… is missing" in browser.browse("skill", "run", "tea-prices").err


def test_a_page_that_changes_is_told_with_the_step_and_what_is_closest(browser, site, home):
    url = shop(site)
    by_hand(browser, url)
    browser.post("skill", "record", "tea-prices")

    fresh = json.loads(browser.post("skill", "check", "tea-prices", "--json"))["skills"][0]
    assert (fresh["verdict"], fresh["likeness"], fresh["findings"]) == ("fresh", 1.0, [])
    assert (fresh["lookedAt"], fresh["beyond"]) == (3, [5, 6, 7])
    assert len(json.loads(browser.post("tabs", "--json"))["tabs"]) == 1

    shop(site, FORM.replace("Which tea", "Which leaf"))
    drifted = browser.browse("skill", "check", "tea-prices")
    assert drifted.code == 1
    assert "tea-prices: drifted (step 2 (fill): its element has another name" in drifted.err
    assert 'was: [searchbox] "Which tea"\nnow: [searchbox] "Which leaf"' in drifted.err

    shop(site, FORM.replace("<button class=go>Search", "<button class=go>Find it"))
    broken = browser.browse("skill", "check", "tea-prices", "--json")
    assert broken.code == 3
    assert broken.json["code"] == "skill-broken"
    (finding,) = json.loads(broken.out)["skills"][0]["findings"]
    assert (finding["step"], finding["command"]) == (4, "click")
    assert finding["what"] == "its element is not on the page"
    nearest = finding["page"]["detail"].splitlines()[0]
    assert nearest == 'nearest: [button] "Find it" → role=button[name="Find it"s]'

    shop(site, "<ul><li><dl><dt>Closed<dd>for good</dl></ul>" * 9)
    rebuilt = browser.browse("skill", "check", "tea-prices").err
    assert "step 2 (fill): its element is not on the page" in rebuilt
    assert "the page is built differently (" in rebuilt


def test_a_check_that_does_the_steps_sees_the_pages_behind_them(browser, site, home):
    by_hand(browser, shop(site))
    browser.post("skill", "record", "tea-prices")
    through = ("skill", "check", "tea-prices", "--run", "--arg", "pin=1")
    assert "tea-prices: fresh (100% alike; 6 steps looked at)" in browser.ok(*through).out

    shop(site, found="<section><dl id=prices><dt>Assam<dd>3 €</dl></section><p id=count>1")
    behind = browser.browse(*through)
    assert (behind.code, browser.browse("skill", "check", "tea-prices").code) == (3, 0)
    assert "step 6 (table): it reads nothing any more" in behind.err
    assert len(json.loads(browser.post("tabs", "--json"))["tabs"]) == 1

    shop(site, FORM.replace("<button class=go>Search", "<button class=go>Find it"))
    done = browser.browse(*through)
    assert "step 4 (click): its element is not on the page" in done.err
    assert "steps 5 to 7 not looked at" in done.err


def test_what_is_read_before_anything_is_done_is_read_by_a_check(browser, site, home):
    table = "<table id=t><tr><th>a<th>b<tr><td>1<td>2</table>"
    frame = site.page("/rec-frame", "<p id=sum>9 €</p>")
    page = f"<h1>T</h1>{table}<iframe id=f src={frame}></iframe><p>over <a href=/x>there</a></p>"
    url = site.page("/rec-table", page)
    browser.post("goto", url)
    browser.post("table", "#t")
    browser.post("links")
    browser.post("text", "#f >>> #sum")
    browser.post("markdown", "p")

    made = json.loads(browser.post("skill", "record", "numbers", "--project", "--json"))
    assert [row.get("how") for row in made["steps"]] == [None, "parser", "parser", "live", "live"]
    ran = json.loads(browser.ok("skill", "run", "numbers").out)
    assert ran == {
        "t": [{"a": "1", "b": "2"}],
        "links": [{"text": "there", "href": f"{site.url}/x"}],
        "sum": "9 €",
        "markdown": f"over [there]({site.url}/x)",
    }
    assert "4 steps looked at" in browser.post("skill", "check", "numbers")

    site.page("/rec-table", page.replace("<th>b", "<th>c"))
    assert "step 2 (table): what it reads has other fields" in (
        browser.browse("skill", "check", "numbers").err
    )
    site.page("/rec-table", page.replace("<tr><td>1<td>2", ""))
    assert "step 2 (table): it reads nothing any more" in (
        browser.browse("skill", "check", "numbers").err
    )


def test_a_staged_skill_waits_for_a_decision(browser, site, home):
    browser.post("goto", site.page("/rec-one", "<title>One</title><h1>One</h1>"))
    browser.post("text", "h1")

    staged = Path(json.loads(browser.post("skill", "record", "one", "--stage", "--json"))["folder"])
    assert (staged / "script.py").is_file()
    assert not (home / "one").exists()
    browser.post("skill", "discard", "one")
    assert not staged.parent.exists()

    staged = Path(json.loads(browser.post("skill", "record", "one", "--stage", "--json"))["folder"])
    (staged / "test_script.py").write_text("def test_no():\n    assert False, 'not yet'")
    for word in (("approve", "one"), ("test", "one", "--staged")):
        refused = browser.browse("skill", *word)
        assert (refused.code, "not yet" in refused.err) == (1, True)
    (staged / "test_script.py").write_text("def test_yes():\n    assert True")
    assert "1 test passed" in browser.ok("skill", "test", "one", "--staged").out
    browser.post("skill", "approve", "one")
    assert json.loads(browser.ok("skill", "run", "one").out) == {"h1": "One"}
    assert "(100% alike; 1 step looked at)" in browser.ok("skill", "check", "one").out
    assert not staged.parent.exists()

    again = browser.browse("skill", "record", "one")
    assert again.code == 1
    assert "is in tier global already; nothing was changed" in again.err
    assert list(staged.parent.parent.iterdir()) == []


def test_what_cannot_be_recorded_says_why(browser, site, home):
    for words, told in (
        (("record", "one"), "Nothing was done in this tab"),
        (("record", "../one"), "is not a skill's name"),
        (("approve", "one"), "waits for approval"),
        (("check",), "give one name, or --all"),
    ):
        status, text = browser.ask("POST", "/command", {"command": "skill", "args": words})
        assert (status != 200, told in text) == (True, True), text
    browser.post("goto", site.page("/rec-none", "<h1>One"))
    status, text = browser.ask(
        "POST", "/command", {"command": "skill", "args": ["record", "one", "--from", "9"]}
    )
    assert "there is no step 9 in this tab; it has 1 to 1" in text
    assert not home.exists()


def test_all_are_checked_one_after_the_other(browser, site, home):
    for folder in BUNDLED.iterdir():  # they are of sites out there
        if folder.is_dir():
            write_skill(home, folder.name)
    page = "<main><h1>A</h1><ul class=list><li><a href=x>b</a></ul></main>"
    url, gone = site.page("/rec-hand", page), f"{site.url}/rec-gone"
    for name, at in (("by-hand", url), ("gone", gone)):
        head = f'---\nhost: "*"\nargs:\n  - name: url\n    default: "{at}"\n---\n'
        skill = write_skill(home, name, head=head)
        (skill / "fixtures").mkdir()
        (skill / "fixtures" / "page.html").write_text(page.replace("b</a>", "c</a>"))

    step = {"number": 1, "ts": "", "tab": 1, "command": "js", "words": ["document.title = 'x'"]}
    for name, flow in (("hostile", json.dumps({"url": url, "steps": [step]})), ("junk", "[")):
        (write_skill(home, name) / "flow.json").write_text(flow)
    write_skill(home, "no-head", head="---\nhots: x\n---\n")

    told = browser.browse("skill", "check", "--all")

    lines = told.out.splitlines()
    assert "by-hand: fresh (100% alike)" in lines
    assert "gone: broken (its page cannot be looked at: It answers with status 404.)" in lines
    assert (
        "hackernews-frontpage: unknown (it has no address to look at: no `url` with a default)"
        in lines
    )
    ours = "its files cannot be used: "
    assert f"junk: broken ({ours}flow.json cannot be read.)" in lines
    refused = "step 1 of flow.json is not one that a skill may do."
    assert f"hostile: broken ({ours}{refused})" in lines
    assert "no-head: broken (its SKILL.md cannot be used: see `browse skill show`)" in lines
    assert told.code == 3
    assert "4 of 11 skills are not fresh" in told.err
    assert refused in browser.browse("skill", "check", "hostile", "--run").err


@pytest.mark.issue(15)
def test_a_neighbour_of_the_same_kind_is_not_offered_as_nearest(browser, site, home):
    pager = "<main><h1>Teas</h1><div><button>Previous</button><button>{}</button></div></main>"
    browser.ok("goto", site.page("/rec-pager", pager.format("Next")))
    browser.ok("click", "text=Next")
    browser.ok("skill", "record", "pager")

    site.page("/rec-pager", pager.replace("<button>{}</button>", ""))
    gone = browser.browse("skill", "check", "pager").err

    assert "its element is not on the page" in gone
    assert "Previous" not in gone


@pytest.mark.issue(15)
@pytest.mark.parametrize("status", [0, 503])
def test_a_site_that_does_not_answer_says_nothing_about_the_skill(browser, site, home, status):
    at = site.page("/rec-down", "<h1>Down</h1>", status=status) if status else "http://127.0.0.1:9/"
    head = f'---\nhost: "*"\nargs:\n  - name: url\n    default: "{at}"\n---\n'
    skill = write_skill(home, "down", head=head)
    (skill / "fixtures").mkdir()
    (skill / "fixtures" / "page.html").write_text("<h1>Up</h1>")

    told = browser.browse("skill", "check", "down")

    assert told.code == 1
    assert "down: unknown (its page cannot be reached now: " in told.err
    assert "check again when the site answers" in told.err
