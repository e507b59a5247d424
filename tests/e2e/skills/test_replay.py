"""What was done in a tab is kept, and done again in another one, as long as the pages agree."""

import json
from pathlib import Path

import pytest

from support.cli import Project, until
from support.site import Site

pytestmark = pytest.mark.e2e

PASSWORD = "correct-horse-9"
FORM = """<title>Order</title><main><h1>Order</h1><form id=order>
<label>Name <input name=who></label><label>Password <input name=pw type=password></label>
<label>Size <select name=size><option>Small<option>Large</select></label>
BUTTON</form><p id=said></p></main><script>
document.querySelector("form").onsubmit = () => {
  const { who, pw, size } = Object.fromEntries(new FormData(document.querySelector("form")));
  document.querySelector("#said").textContent = `${who}, ${size}, ${pw.length}`;
  return false;
};</script>"""
SEND = "<button class=send>Send order</button>"


def form(button: str = SEND) -> str:
    return FORM.replace("BUTTON", button)


def ordered(browser: Project, url: str) -> None:
    """Six commands, the password among them."""
    browser.post("goto", url)
    browser.post("fill", "input[name=who]", "Ada", "Lovelace")
    browser.post("fill", "label=Password", PASSWORD)
    browser.post("select", "select", "Large")
    browser.post("click", "text=Send order")
    browser.post("text", "#said")


def journal_of(browser: Project) -> Path:
    return browser.root / ".gstack" / "browse-journal.jsonl"


def journalled(browser) -> str:
    """Read the journal; it is written once a second, so that there may be none yet."""
    path = journal_of(browser)
    return path.read_text() if path.exists() else ""


def tabs(browser: Project) -> list[int]:
    return [tab["id"] for tab in json.loads(browser.post("tabs", "--json"))["tabs"]]


@pytest.mark.blank_tab
def test_words_that_are_refused_are_no_step(browser, site: Site):
    browser.ok("goto", site.page("/replay/refused", form()))

    refused = browser.browse("scroll", "--wait", "5")
    browser.browse("click", "#nowhere")

    assert refused.code == 2
    assert len(browser.ok("replay", "--list").page.splitlines()) == 2


@pytest.mark.blank_tab
def test_flow_is_done_again_in_a_new_tab(browser, site: Site):
    url = site.page("/replay/form", form())
    ordered(browser, url)
    browser.browse("click", "#nowhere")
    (old,) = tabs(browser)

    listed = browser.ok("replay", "--list")
    refused = browser.browse("replay")
    opened = tabs(browser)
    ran = browser.ok("replay", "--value", f"3={PASSWORD}")

    assert listed.page.splitlines()[2].split() == [
        *("3", "fill", "label=Password", "***", "[textbox]", '"Password"', "ok")
    ]
    assert listed.page.splitlines()[-1].endswith("no-match")
    assert PASSWORD not in listed.out
    assert refused.code == 1
    assert "--value 3=<value>" in refused.err
    assert opened == [old], "nothing is done before all values are known"
    assert f"Ada Lovelace, Large, {len(PASSWORD)}" in ran.out
    assert "⚠" not in ran.out
    assert tabs(browser) == [old, old + 1]
    assert f"Replayed 6 steps in tab {old + 1}" in ran.out


@pytest.mark.blank_tab
def test_secrets_are_in_no_journal_and_steps_of_a_file_are_done_again(browser, site: Site):
    ordered(browser, site.page("/replay/secret", form()))
    browser.post("focus", "label=Password")
    browser.post("type", PASSWORD)
    browser.post("chain", "fill 'input[name=who]' Grace | click 'text=Send order' | text '#said'")
    (old,) = tabs(browser)
    steps = json.loads(browser.post("replay", "--list", "--json"))["steps"]
    last = f'"number":{len(steps)},'
    run = until(
        lambda: [
            line
            for line in journalled(browser).splitlines()
            if "/replay/secret" in line and f'"tab":{old},' in line and last in line
        ],
        what="the last step in the file",
    )

    told = json.loads(
        browser.post(
            *("replay", "--json", "--file", str(journal_of(browser)), "--tab-id", str(old)),
            *("--value", f"3={PASSWORD}", "--value", f"8={PASSWORD}"),
        )
    )

    assert len(run) == 1
    assert PASSWORD not in journalled(browser)
    assert [step["page"]["words"] for step in steps][6:9] == [
        ["label=Password"],
        ["***"],
        ["input[name=who]", "Grace"],
    ]
    assert [step["ok"] for step in told["steps"]] == [True] * 11
    assert told["steps"][-1]["result"]["page"]["text"].startswith("Grace, Large, ")
    assert told["warnings"] == []


@pytest.mark.blank_tab
@pytest.mark.parametrize(
    ("button", "near"),
    [
        ("<button class=send>Delete order</button>", '[button] "Delete order"'),
        ("<p><a href=/x>Send it</a></p>", '[link] "Send it"'),
    ],
)
def test_replay_stops_where_the_page_differs(browser, site: Site, button: str, near: str):
    ordered(browser, site.page("/replay/changed", form()))
    (old,) = tabs(browser)
    site.page("/replay/changed", form(button))

    ran = browser.browse("replay", "--json", "--value", f"3={PASSWORD}")

    partial, error = json.loads(ran.out), json.loads(ran.err)
    assert ran.code == 3
    assert [step["number"] for step in partial["steps"]] == [1, 2, 3, 4]
    assert partial["tab"] == old + 1
    assert error["code"] == "replay-differs"
    assert "before step 5 (click)" in error["error"]
    told = error["page"]["detail"]
    assert 'expected: [button] "Send order" (button.send)' in told
    assert "near it: @e" in told
    assert near in told


@pytest.mark.blank_tab
def test_page_that_was_rebuilt_around_the_same_elements_is_a_warning(browser, site: Site):
    browser.post("goto", site.page("/replay/rebuilt", form()))
    browser.post("click", "text=Send order")
    other = "".join(f"<section class=w{a}><i class=x{a}>{a}</i></section>" for a in "abcdefghijklm")
    site.page("/replay/rebuilt", f"<div class=all><dl><dt>{other}</dl>{SEND}</div>")

    told = json.loads(browser.post("replay", "--json"))

    assert [step["ok"] for step in told["steps"]] == [True, True]
    assert told["warnings"][0]["step"] == 2
    assert told["warnings"][0]["likeness"] < 0.5


@pytest.mark.blank_tab
def test_elements_in_frames_are_found_again(browser, site: Site):
    inner = site.page("/replay/inner", "<button onclick=\"textContent='Pressed'\">Press</button>")
    outer = site.page(
        "/replay/outer", f"<button>Press</button><iframe name=in src={inner}></iframe>"
    )
    browser.post("goto", outer)
    browser.post("frame", "iframe[name=in]")
    browser.post("snapshot", "-i")
    browser.post("frame", "main")
    browser.post("snapshot", "-i")
    ref = next(
        line.split()[0]
        for line in browser.post("snapshot", "-i").splitlines()
        if "Press" in line and line.startswith("  @e")
    )
    browser.post("click", ref)
    browser.post("frame", "iframe[name=in]")
    browser.post("text")

    told = json.loads(browser.post("replay", "--json"))

    assert told["steps"][-1]["result"]["page"]["text"] == "Pressed"


def test_damaged_journal_is_refused_by_its_line(browser):
    path = browser.root / "damaged.jsonl"
    path.write_text('{"number":1,"ts":"","tab":1,"command":"url"}\n{"number":2,"ts":')

    ran = browser.browse("replay", "--file", "damaged.jsonl")

    assert ran.code == 1
    assert f"Line 2 of {path.resolve()} is not a step" in ran.err


FILES = {"stop": '"command":"stop"', "url": '"command":"url"'}
FILES["failed"] = f'{FILES["url"]},"error":"timeout"'


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "There are no steps"),
        (["--value", "x"], "--value <step>=<value>"),
        (["--from", "0"], "whole number from 1"),
        (["--file", "stop"], "is not one that runs in a tab"),
        (["--file", "failed"], "None of these steps succeeded"),
        (["--file", "failed", "--tab-id", "9"], "has none of tab 9"),
        (["--file", "url", "--value", "1=x"], "step 1 has no value"),
    ],
)
def test_replay_says_what_is_wrong(browser, words: list[str], said: str):
    for name, rest in FILES.items():
        (browser.root / name).write_text(f'{{"number":1,"ts":"","tab":1,{rest}}}\n')
    args = [str(browser.root / word) if word in FILES else word for word in words]

    status, text = browser.ask("POST", "/command", {"command": "replay", "args": args})

    assert status in (400, 409)
    assert said in text


def test_journal_that_is_off_keeps_nothing(project: Project, site: Site):
    project.env["BROWSE_JOURNAL"] = "off"
    project.ok("goto", site.page("/replay/off", form()))

    ran = project.browse("replay", "--list")

    assert ran.code == 1
    assert "BROWSE_JOURNAL" in ran.err
    project.ok("stop")
    assert not journal_of(project).exists()


@pytest.mark.blank_tab
@pytest.mark.issue(18)
def test_text_that_was_pasted_from_stdin_is_a_step_that_can_be_done_again(browser, site: Site):
    page = "<textarea id=it></textarea><input type=password id=pw>"
    browser.post("goto", site.page("/replay/pasted", page))

    browser.ok("paste", "--on", "#it", stdin="-x\n  y\n")
    browser.ok("paste", "--on", "#pw", "-", stdin=PASSWORD)
    steps = json.loads(browser.post("replay", "--list", "--json"))["steps"]

    assert [step["page"]["words"] for step in steps[1:]] == [
        ["--on=#it", "--", "-x\n  y\n"],
        ["***", "--on=#pw"],
    ]
    assert PASSWORD not in journalled(browser)
    told = json.loads(browser.post("replay", "--json", "--value", f"3={PASSWORD}"))
    assert [step["ok"] for step in told["steps"]] == [True] * 3
    assert browser.ok("value", "#it").page == "-x\n  y\n"
