"""Refs and the inspector over HTTP, as the side panel uses them."""

import json
from collections.abc import Iterator

import httpx
import pytest

pytestmark = pytest.mark.e2e
CSS = "h1 { color: red }\n#title { color: rgb(0, 0, 255); margin: 4px 8px }\n"
PAGE = """<link rel=stylesheet href=/inspected.css><body style="margin: 0">
<h1 id=title style="height: 40px">Tea</h1><button>Buy</button>"""


@pytest.fixture
def owner(browser):
    state = browser.state()
    headers = {"Authorization": f"Bearer {state['token']}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{state['port']}", headers=headers) as client:
        yield client


def post(owner, path, **fields):
    answer = owner.post(path, json=fields)
    return answer.json() | {"status": answer.status_code}


def test_the_picker_picks_an_edit_changes_the_page_and_undo_restores_it(owner, browser, site):
    site.page("/inspected.css", CSS, content_type="text/css")
    browser.ok("goto", site.page("/inspected", PAGE))
    document = float(browser.ok("js", "performance.timeOrigin").page)

    picked = post(owner, "/inspector/pick", document=document, at=[20, 20])
    page = picked["page"]
    strongest = next(it for it in page["rules"] if it["selector"] == "#title")
    assert (page["tag"], page["selector"]) == ("h1", "#title")
    assert strongest["source"].endswith("/inspected.css")
    assert (strongest["line"], strongest["specificity"]) == (2, [1, 0, 0])
    beaten = next(it for it in page["rules"] if it["selector"] == "h1" and it["line"])
    assert [it["overridden"] for it in beaten["declarations"]] == [True]
    assert page["box"]["margin"][2] - page["box"]["border"][2] == 16

    edit = {"tabId": picked["tab"], "target": picked["ref"], "property": "color"}
    assert post(owner, "/inspector/apply", **edit, value="rgb(0, 128, 0)")["status"] == 200
    assert browser.ok("css", "#title", "color").page == "rgb(0, 128, 0)"
    history = owner.get(f"/inspector/history?tab={picked['tab']}").json()
    assert [it["after"] for it in history["page"]["changes"]] == ["rgb(0, 128, 0)"]
    assert post(owner, "/inspector/apply", **edit, value="url(http://evil.test)")["status"] == 400
    assert post(owner, "/inspector/reset", tabId=picked["tab"], count=1)["ok"]
    assert browser.ok("css", "#title", "color").page == "rgb(0, 0, 255)"
    last = owner.get("/inspector").json()
    assert (last["data"]["ref"], last["data"]["page"]["tag"]) == (picked["ref"], "h1")
    assert last["timestamp"] > document
    assert "stale" in last
    # The agent sees what the person picked.
    assert "#title" in browser.ok("inspect").page


def test_a_page_with_a_ticket_hears_of_picks_and_changes(owner, browser, site):
    browser.ok("goto", site.page("/heard", PAGE))
    cookie = owner.post("/sse-session").headers["set-cookie"].partition(";")[0]
    edit = {"selector": "#title", "property": "color"}

    with httpx.Client(base_url=owner.base_url, timeout=150) as page:
        assert page.get("/inspector/events").status_code == 401
        with page.stream("GET", "/inspector/events", headers={"Cookie": cookie}) as stream:
            picked = post(owner, "/inspector/pick", selector="h1", activeTabUrl="ignored")
            post(owner, "/inspector/apply", **edit, value="green")
            post(owner, "/inspector/apply", **edit, value="url(http://evil.test)")
            post(owner, "/inspector/reset")
            before, *told = events(stream.iter_lines(), 4)

    # A cookie opens the stream: it says which element was picked last, without words of its page.
    assert before["type"] == "state"
    assert set(before["data"] or {}) <= {"tab", "ref"}
    assert [(it["type"], it["tab"]) for it in told] == [
        (it, picked["tab"]) for it in ("pick", "apply", "reset")
    ]
    assert (told[0]["ref"], told[1]["property"]) == ("h1", "color")


def events(lines: Iterator[str], count: int) -> list[dict]:
    """Read so many server-sent events of the inspector."""
    found: list[dict] = []
    while len(found) < count:
        kind, _, name = next(lines).partition(": ")
        if kind == "event":
            assert name == ("inspector" if found else "state")
            found.append(json.loads(next(lines).removeprefix("data: ")))
    return found


def test_refs_are_those_that_were_shown_with_their_places(owner, browser, site):
    browser.ok("goto", site.page("/boxes", PAGE))
    assert owner.get("/refs").json()["count"] == 0
    browser.ok("snapshot", "-i")

    found = owner.get("/refs?boxes=1").json()
    named = {it["name"]: it for it in found["page"]["refs"]}
    assert found["count"] == len(found["page"]["refs"]) > 0
    assert named["Buy"]["role"] == "button"
    assert named["Buy"]["box"][2] > 10
    events = browser.ok("activity", "--json").json["events"]
    assert [it["refs"] for it in events if it["type"] == "command_end" and it["refs"]][-1] == found[
        "count"
    ]
    gone = owner.get("/refs?document=12345.5")
    assert gone.json()["code"] == "tab-unknown"
