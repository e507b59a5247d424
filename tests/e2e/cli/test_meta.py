"""Chains, status and help with the real client, daemon and Chromium."""

import json
import os
import re

import pytest

from browse import __version__
from support.cli import BEGIN, END, until

pytestmark = pytest.mark.e2e


def said(browser, script: str) -> str:
    return json.loads(browser.post("js", script, "--json"))["page"]["value"]


def test_chain_runs_its_steps_in_order_and_labels_them(browser, site):
    url = site.page("/chained", "<p>words</p>")

    ran = browser.ok("chain", f"goto {url} | text | url")

    begin, end = f"{BEGIN} […]\n", f"{END}…]"
    assert re.sub(r"\[[0-9a-f]{8}\]", "[…]", ran.out) == (
        f"Navigated to {url} (200)\n[text]\n{begin}words{end}\n[url]\n{begin}{url}{end}\n"
    )


FORM = "<input id=a><input id=b><button id=c>Idle</button><button id=d>Send</button>"


def test_steps_that_were_only_done_share_a_line(browser, site):
    url = site.page("/receipts", f"{FORM}<script>d.onclick = () => d.textContent = 'Sent'</script>")

    ran = browser.ok("chain", f"goto {url} | fill #a x | fill #b y | click #d | click #c | text #d")

    done = (
        f"Navigated to {url} (200); Filled #a; Filled #b; Clicked #d; Clicked #c (Nothing changed)"
    )
    assert ran.out.startswith(f"{done}\n[text]\n{BEGIN} [")
    assert ran.page == "Sent"


@pytest.mark.parametrize("script", ["js String()", "value #a"])
def test_a_step_that_reads_nothing_is_no_receipt(browser, site, script):
    url = site.page("/nothing", FORM)

    ran = browser.ok("chain", f"goto {url} | {script}")

    assert ran.out.splitlines()[:2] == [f"Navigated to {url} (200)", f"[{script.split()[0]}]"]


def test_a_chain_that_fails_says_first_what_was_done(browser, site):
    url = site.page("/half", FORM)

    ran = browser.browse("chain", f"goto {url} | fill #a x | click #nowhere | fill #b y")

    assert ran.out == f"Navigated to {url} (200); Filled #a\n"
    assert ran.err.startswith("[click] ERROR: step 3 of 4 failed; the 1 after it did not run.")


@pytest.mark.parametrize(
    "words",
    [
        ["js '1 | 2' | js 4"],
        ["| js '1|2'|js 4 | |"],
        ['js "1 | 2" | js 4'],
        [r"js 1\ \|\ 2 | js 4"],
        ["js", "1|2", "|", "js", "4"],
        ['[["js", "1 | 2"], ["js", "4"]]'],
        ["-"],
        [],
    ],
)
def test_chain_takes_bars_quotes_json_and_stdin(browser, words):
    ran = browser.ok("chain", *words, stdin='[["js", "1 | 2"], ["js", "4"]]')

    assert [line for line in ran.out.splitlines() if line.isdigit()] == ["3", "4"]


def test_chain_stops_at_the_first_step_that_fails(browser):
    ran = browser.browse("chain", "js 'window.a = 1' | text #nowhere | js 'window.b = 1'")

    assert ran.code == 3
    assert ran.out.startswith("[js]\n")
    assert ran.err.startswith(
        "[text] ERROR: step 2 of 3 failed; the 1 after it did not run. Nothing on the page matches"
    )
    assert said(browser, "[window.a, window.b]") == [1, None]


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("goto example.com", 2),
        ("nonsense", 2),
        ("text #nowhere", 3),
        ("goto javascript:x", 4),
        ("wait #nowhere 200", 5),
        ("js 'throw 1'", 1),
        ("eval not-there.js", 1),
    ],
)
def test_the_exit_code_of_a_chain_is_that_of_the_step_that_failed(browser, script, code):
    assert browser.browse("chain", f"url | {script} | url").code == code


def test_a_step_called_by_another_name_shows_both(browser):
    ran = browser.browse("chain", "setcontent nowhere.html | text")

    assert ran.err.startswith("[setcontent→load-html] ERROR: step 1 of 2 failed")


def test_chain_as_data(browser):
    (browser.root / "step.html").write_text("<p>x")

    told = browser.ok("chain", "--json", "js 1 | setcontent step.html | url").json

    assert [(row["command"], row["ok"]) for row in told["steps"]] == [
        ("js", True),
        ("setcontent→load-html", True),
        ("url", True),
    ]
    assert told["steps"][0]["result"] == {"page": {"type": "json", "value": 1}}


def test_a_chain_that_fails_has_data_for_what_was_done(browser):
    ran = browser.browse("chain", "--json", "js 1 | text #nowhere | js 2")

    assert ran.code == 3
    assert [row["ok"] for row in json.loads(ran.out)["steps"]] == [True, False]
    assert json.loads(ran.err)["code"] == "no-match"


def test_chain_refuses_itself(browser):
    ran = browser.browse("chain", "url | chain url")

    assert ran.code == 2
    assert "'chain' cannot run inside itself" in ran.err


@pytest.mark.parametrize("script", ["", " ", "|", "[]", "[[]]", "[1]", "[", 'url "'])
def test_a_chain_that_cannot_be_read_runs_nothing(browser, script):
    ran = browser.browse("chain", script)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("chain: ")


def test_relative_files_in_a_chain_start_at_the_callers_folder(browser):
    inner = browser.root / "chain-folder"
    inner.mkdir(exist_ok=True)
    (inner / "here.js").write_text("'found'")

    assert "\nfound\n" in browser.ok("chain", "eval here.js", cwd=inner).out


def test_what_a_step_prints_is_there_while_the_next_still_runs(browser, site):
    held = site.hold("/second-step")
    browser.post("goto", site.page("/first-step", "<p>x"))
    steps = json.dumps(
        [["js", "'first'"], ["js", "await fetch('/second-step').then(() => 'second')"]]
    )
    running = browser.start("chain", steps)

    assert held.arrived.wait(150)
    seen = os.read(running.stdout.fileno(), 4096).decode()
    held.let_go.set()
    rest, _ = running.communicate(timeout=150)

    assert "\nfirst\n" in seen
    assert "second" not in seen
    assert "\nsecond\n" in rest.decode()


def test_status_tells_where_the_daemon_is(browser, site):
    url = site.page("/status", "<p>x")
    browser.post("goto", url)

    assert browser.ok("status").out == (
        f"Status: healthy\nMode: launched\nURL: {url}\nTabs: 1\nPID: {browser.state()['pid']}\n"
    )


def test_status_as_data(browser):
    told = browser.ok("status", "--json").json

    assert told.pop("uptime") >= 0
    assert told == {
        "status": "healthy",
        "mode": "launched",
        "tabs": 1,
        "person": [],
        "attached": None,
        "proxy": None,
        "stealth": None,
        "pid": browser.state()["pid"],
        "version": __version__,
        "page": {"url": "about:blank"},
    }


@pytest.mark.parametrize("words", [[], ["goto"], ["setcontent"], ["--agent"]])
def test_help_of_the_daemon_is_help_of_the_client(browser, words):
    shown = browser.post("help", *words)

    assert shown.strip() == browser.ok("help", *words).out.strip()


def test_help_of_an_unknown_command_says_what_was_meant(browser):
    status, text = browser.ask("POST", "/command", {"command": "help", "args": ["gotto"]})

    assert status == 400
    assert "Did you mean 'goto'?" in json.loads(text)["error"]


@pytest.fixture
def spinning(browser, site):
    """A client whose script never yields, in the current tab."""
    browser.post("goto", site.page("/spins", "<title>Spins</title>"))
    browser.post("tabs")  # learns the title while the page still answers
    script = "r = new XMLHttpRequest(); r.open('GET', '/began', false); r.send(); while (true) {}"
    held = site.hold("/began")
    held.let_go.set()
    process = browser.start("js", script)
    assert held.arrived.wait(150)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("command", ["tabs", "status"])
def test_the_control_lane_answers_while_a_page_spins(browser, spinning, command):
    shown = browser.ok(command).out

    assert "/spins" in shown
    assert ("Spins (does not answer) — " in shown) == (command == "tabs")
    assert spinning.poll() is None


def test_the_title_is_waited_for_and_never_that_of_another_page(browser, site):
    browser.post("goto", site.page("/known", "<title>Known</title>"))
    assert browser.ok("title").page == "Known"
    held = site.hold("/held")
    block = "r = new XMLHttpRequest(); r.open('GET', '/held', false); r.send()"
    page = f"<title>Late</title><script>onload = () => setTimeout(() => {{ {block} }})</script>"
    browser.post("goto", site.page("/blocks", page))
    assert held.arrived.wait(150)

    asking = browser.start("title")
    (tab,) = browser.ok("tabs", "--json").json["tabs"]
    held.let_go.set()
    out, _ = asking.communicate(timeout=150)

    assert (tab["busy"], tab["page"]["title"]) == (True, "")
    assert b"\nLate\n" in out


def test_a_new_tab_works_while_another_spins(browser, spinning):
    ran = browser.ok("chain", "newtab | js 1")

    assert "\n1\n" in ran.out
    assert spinning.poll() is None


def test_a_tab_is_usable_again_once_the_spinning_client_is_gone(browser, spinning):
    spinning.kill()

    assert browser.ok("js", "document.title").page == "Spins"


def test_a_client_that_is_killed_takes_its_command_along(browser, site):
    held = site.hold("/pending")
    browser.post("goto", site.page("/asks", "<p>x"))
    running = browser.start("js", "await fetch('/pending'); window.late = 1")
    assert held.arrived.wait(150)

    running.kill()
    running.communicate()

    assert browser.ok("js", "'free'").page == "free"
    held.let_go.set()
    until(lambda: said(browser, "window.late") == 1, what="the page's own script, which goes on")
