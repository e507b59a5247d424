"""`handoff` and `resume`, as an agent types them."""

import json

import pytest

from browse import _exit
from support.cli import until

pytestmark = pytest.mark.e2e

CHANGING = (
    "state load any",
    "viewport 300x300",
    "emulate geo 1,2",
    "useragent x",
    "cookies --clear",
    "header X-A: 1",
    "route *.png --abort",
    "dialog-dismiss",
    "connect",
    "handoff --window",
    "restart",
    "stop",
)


@pytest.mark.issue(16)
def test_a_tab_is_handed_over_once_and_taken_back(browser, site):
    browser.ok("goto", site.page("/plain", "<title>Plain</title><button>Go</button>"))
    told = browser.ok("handoff", "--no-open", "Please", "look").out
    again = browser.ok("handoff", "--no-open", "--json", "Look again").json
    listed = browser.ok("tabs", "--json").json["tabs"][0]["person"]
    shown = browser.ok("tabs").out
    status = browser.ok("status").out
    closing = browser.browse("closetab")
    others = [browser.browse(*words.split()) for words in CHANGING]
    browser.ok("viewport")
    other = browser.ok("newtab", "--json").json["tabId"]
    browser.ok("load-html", stdin="<p>free</p>")
    browser.ok("closetab", str(other))
    back = browser.ok("resume")

    assert told.startswith("HANDOFF: tab ")
    assert "MESSAGE: Please look\nLIVE VIEW: http://127.0.0.1:" in told
    assert told.endswith("STATUS: Waiting for user. Run 'resume' when done.\n")
    assert (again["already"], again["reason"]) == (True, "Look again")
    assert again["view"] not in told
    assert (listed["reason"], listed["askedBy"]) == ("Look again", "root")
    assert "(a person has it, handed over " in shown
    assert f"Person: has tab {again['tabId']}, handed over " in status
    assert {it.code for it in (closing, *others)} == {_exit.REFUSED}, others
    assert "`browse stop --force` does it all the same" in others[-1].err
    assert ": Look again. " in closing.err
    assert "RESUMED: you took back tab" in back.out
    assert "Nothing changed" in back.out
    assert '[button] "Go"' in back.page
    assert "RESUMED: nobody had tab" in browser.ok("resume").out
    browser.ok("click", "button")


@pytest.mark.issue(16)
def test_what_goes_wrong_changes_nothing(browser, site):
    browser.ok("goto", site.page("/plain", "<button>Go</button>"))
    unknown = browser.browse("handoff", "--tab-id", "987654321")
    key = json.loads(browser.ask("POST", "/pair", {"clientId": "friend"})[1])["setup_key"]
    token = json.loads(browser.ask("POST", "/connect", {"setup_key": key})[1])["token"]
    bearer = f"Bearer {token}"
    paired = browser.ask("POST", "/command", {"command": "handoff"}, authorization=bearer)
    browser.ok("tunnel", "revoke", "friend")

    watching = browser.ok("watch").out
    stopped = browser.browse("click", "button")
    browser.ok("watch", "stop")

    assert watching.startswith("WATCHING")
    assert stopped.code == _exit.REFUSED
    assert unknown.code == _exit.TARGET
    assert paired[0] == 403, paired
    assert "needs the scope: root" in paired[1]
    browser.ok("click", "button")


@pytest.mark.issue(16)
def test_a_waiting_agent_hears_that_the_tab_was_closed(browser, site):
    gate = site.hold("/gate")
    url = site.page("/closes", "<p>Bye</p><script>fetch('/gate').then(()=>close())</script>")
    browser.ok("goto", site.page("/plain", "<button>Go</button>"))
    browser.ok("js", f"open('{url}') && 0")
    tabs = until(lambda: browser.ok("tabs", "--json").json["tabs"][1:], what="the popup")
    tab = tabs[0]["id"]
    waiting = browser.start("handoff", "--wait", "--no-open", "--tab-id", str(tab))
    assert waiting.stderr
    while b"STATUS" not in waiting.stderr.readline():
        pass
    view = browser.ok("view", "--no-open", "--tab-id", str(tab), "--json").json
    gate.let_go.set()
    _, err = waiting.communicate(timeout=150)

    assert view["tabId"] == tab
    assert view["opened"] is False
    assert waiting.returncode == _exit.TARGET, err
    assert b"was closed while a person had it" in err
