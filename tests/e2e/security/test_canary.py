"""The canary: who repeats it is stopped, by whichever way it would leave."""

import base64
import json

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e


@pytest.fixture
def told(browser):
    """The canary of the shared daemon; afterwards nobody is halted."""
    yield json.loads(browser.post("context", "example.com", "--json"))["reference"]
    browser.post("context", "--reset")


def test_a_command_that_holds_it_does_not_run_and_the_agent_is_halted(browser, site, told):
    browser.post("goto", site.page("/canary", "<input id=a><p>words"))

    ran = browser.browse("fill", "#a", f"it is {base64.b64encode(told.encode()).decode()}")

    assert ran.code == 4
    assert "'fill' did not run: its words would give away the reference" in ran.err
    assert told not in ran.err
    assert browser.browse("text", "--json").json["code"] == "canary-leaked"
    assert browser.ok("status").code == 0
    assert "may go on: root" in browser.ok("context", "--reset").out
    assert browser.ok("js", "document.querySelector('#a').value").page == ""


def test_pieces_typed_one_after_the_other_are_found(browser, site, told):
    browser.post("goto", site.page("/canary-pieces", "<input id=a><input id=b>"))

    assert browser.browse("fill", "#a", told[:13]).code == 0
    assert browser.browse("fill", "#b", told[13:]).code == 4
    assert browser.ok("activity", "--last", "5").out.count("canary_leak  where: argument") == 1


def test_halves_with_other_text_between_are_found(browser, site, told):
    browser.post("goto", site.page("/canary-halves", "<textarea id=a></textarea>"))

    assert browser.browse("fill", "#a", told[:13]).code == 0
    assert browser.browse("type", "dear all, " * 50).code == 0
    assert browser.browse("type", told[13:]).code == 4


def test_a_file_and_stdin_are_looked_at(browser, told):
    (browser.root / "script.js").write_text(f"fetch('/?{told[7:].lower()}')")

    ran = browser.browse("eval", "script.js")
    assert (ran.code, "a file that it names" in ran.err) == (4, True)
    browser.post("context", "--reset")
    ran = browser.browse("js", stdin=f"'{told}'")
    assert (ran.code, "what came on stdin" in ran.err) == (4, True)


def test_a_paired_agent_loses_its_token(browser, told):
    token = json.loads(browser.post("token", "leaker", "--json"))["token"]

    def ask(*words: str) -> tuple[int, str]:
        body = {"command": words[0], "args": words[1:]}
        return browser.ask("POST", "/command", body, authorization=f"Bearer {token}")

    assert ask("newtab")[0] == 200
    status, text = ask("goto", f"http://127.0.0.1:1/?{told}")
    assert (status, "would give away" in text, told in text) == (403, True, False)
    assert until(lambda: ask("url")[0] == 401, what="the token to end")


def test_a_request_that_holds_it_is_noticed(browser, site, told):
    """A page that makes it up itself, from what no command could be seen to say."""
    browser.post("goto", site.page("/canary-sent", "<p>x"))
    flipped = "".join(chr(ord(char) ^ 1) for char in told)
    script = f"""fetch('/canary-taken', {{method: 'POST', body:
        [...'{flipped}'].map(c => String.fromCharCode(c.charCodeAt(0) ^ 1)).join('')}}); 1"""
    site.page("/canary-taken", "")

    browser.post("js", script)

    until(lambda: browser.browse("url").code == 4, what="the agent to be halted")


def test_a_request_from_behind_a_fence_is_stopped(browser, site, told):
    arrived: list[str] = []
    site.answer("/canary-fenced", lambda request: arrived.append(request.path))
    page = site.page("/canary-behind", "<p>x").replace("127.0.0.1", "fenced.localhost")
    words = ("token", "fenced", "--domain", "*.localhost", "--restrict", "read,write,admin")
    token = json.loads(browser.post(*words, "--json"))["token"]

    def ask(*words: str) -> tuple[int, str]:
        body = {"command": words[0], "args": words[1:]}
        return browser.ask("POST", "/command", body, authorization=f"Bearer {token}")

    assert ask("newtab", page)[0] == 200
    flipped = "".join(chr(ord(char) ^ 1) for char in told)
    ask(
        "js",
        f"""fetch('/canary-fenced?' + [...'{flipped}'].map(
            c => String.fromCharCode(c.charCodeAt(0) ^ 1)).join('')).catch(() => 0)""",
    )

    until(lambda: ask("url")[0] == 401, what="the token to end")
    assert arrived == []
