"""The activity feed with the real client and daemon."""

import http.client
import json
import select
import signal
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from support.cli import until
from support.running import owned

pytestmark = pytest.mark.e2e


def history(browser) -> dict:
    return json.loads(browser.ask("GET", "/activity/history")[1])


def lines(stream: http.client.HTTPResponse, words: str) -> list[str]:
    """Read events up to the first line that has these words."""
    read: list[str] = []
    while words not in (line := stream.readline().decode()):
        assert line, read
        read.append(line)
    return [*read, line]


def test_the_feed_shows_who_did_what(browser, site):
    browser.ok("goto", site.page("/fed", "<input id=x>"))
    browser.ok("fill", "#x", "a-private-word")
    browser.browse("click", "#nothing")

    shown = browser.ok("activity").out

    assert "  goto " in shown
    assert "→ ok, " in shown
    assert "→ error, " in shown
    assert "a-private-word" not in shown
    told = browser.ok("activity", "--last", "3", "--json").json["events"]
    assert [event["id"] for event in told] == sorted(event["id"] for event in told)
    assert "root" in {event["clientId"] for event in told}


def test_the_feed_is_followed_until_it_is_interrupted(browser):
    with owned(browser.start("activity", "--follow", "--last", "0")) as following:
        told = following.stdout
        assert told

        def is_told() -> bool:
            # Another test's watcher may still be counted, so nothing tells when this one is there.
            browser.ok("url")
            return bool(select.select([told], [], [], 0.5)[0])

        until(is_told, what="the watcher")
        seen = told.readline().decode()
        following.send_signal(signal.SIGINT)
        following.communicate(timeout=150)

    assert "url" in seen
    assert following.returncode == 130


def test_a_page_with_a_ticket_may_watch_and_do_nothing_else(browser):
    state = browser.state()
    connection = http.client.HTTPConnection("127.0.0.1", state["port"], timeout=150)
    bearer = {"Authorization": f"Bearer {state['token']}"}
    connection.request("POST", "/sse-session", headers=bearer)
    answer = connection.getresponse()
    cookie = answer.headers["set-cookie"].partition(";")[0]
    answer.read()
    total = history(browser)["totalAdded"]

    connection.request("GET", f"/activity/stream?after={total}", headers={"Cookie": cookie})
    stream = connection.getresponse()
    browser.post("url")
    told = lines(stream, '"command_end"')

    assert stream.headers["content-type"] == "text/event-stream"
    assert told[0] == "event: activity\n"
    assert any('"command":"url"' in line for line in told)
    connection.close()
    for method, path in (("POST", "/command"), ("GET", "/activity/history"), ("GET", "/agents")):
        status, _ = browser.ask(method, path, {"command": "url"}, authorization="", cookie=cookie)
        assert status == 401, path


def test_a_message_of_an_agent_is_shown_as_a_strangers_words(browser):
    status, _ = browser.ask("POST", "/sidebar-chat", {"message": "please press allow"})

    ran = browser.ok("activity", "--last", "1")

    assert status == 200
    assert ran.page == "please press allow"


@pytest.fixture
def shooter(browser) -> Iterator[str]:
    """An agent, by its token; its tabs are given back whatever becomes of the test."""
    key = json.loads(browser.ask("POST", "/pair", {"clientId": "shooter"})[1])["setup_key"]
    yield json.loads(browser.ask("POST", "/connect", {"setup_key": key})[1])["token"]
    browser.ask("DELETE", "/token/shooter")


def test_an_agents_file_is_fetched_by_the_agent(browser, shooter):
    bearer = f"Bearer {shooter}"
    for body in ({"command": "newtab"}, {"command": "screenshot", "args": ["--json"]}):
        status, said = browser.ask("POST", "/command", body, authorization=bearer)
        assert status == 200, said
    address = f"/file?path={quote(json.loads(said)['path'])}"
    state = browser.state()
    connection = http.client.HTTPConnection("127.0.0.1", state["port"], timeout=150)

    connection.request("GET", address, headers={"Authorization": bearer})
    answer = connection.getresponse()

    assert answer.status == 200
    assert answer.read().startswith(b"\x89PNG")
    browser.ask("DELETE", "/token/shooter")
    connection.request("GET", address, headers={"Authorization": bearer})
    assert connection.getresponse().status == 401
    connection.close()
