"""Arguments and requests at the edges: they work, or they are refused in plain words."""

import json
import os

import pytest

from support.life import assert_clear, post

pytestmark = pytest.mark.e2e


def test_bytes_that_are_no_text_are_refused(browser):
    half = os.fsdecode(b"\xff\xfe")

    assert_clear(browser.browse("js", half), 2, "not valid UTF-8")
    assert_clear(browser.browse("goto", half), 2, "not valid UTF-8")
    assert_clear(browser.browse(half), 2, "Unknown command")
    assert_clear(browser.browse("url", f"--{half}"), 2, "not valid UTF-8")


@pytest.mark.blank_tab
def test_a_folder_whose_name_is_no_text_is_told(browser):
    strange = browser.root / os.fsdecode(b"\xff\xfe")
    strange.mkdir()
    (strange / "page.html").write_text("<p>strange")

    assert_clear(browser.browse("load-html", "page.html", cwd=strange), 2, "Not a usable path")
    assert browser.ok("url", cwd=strange).page == "about:blank"


def test_a_long_argument_works(browser):
    filler = "x" * 100_000

    assert browser.ok("js", f"'{filler}'.length").page == "100000"


def test_a_very_long_argument_works_over_http(browser):
    status, body = post(browser, {"command": "js", "args": [f"'{'x' * 2_000_000}'.length"]})

    assert status == 200, body
    assert "2000000" in body


def test_long_input_on_stdin_works(browser):
    assert browser.ok("js", stdin=f"'{'x' * 2_000_000}'.length").page == "2000000"


@pytest.mark.parametrize(
    "words", [["js", ""], ["goto", ""], ["text", ""], ["wait", ""], ["tab", ""]]
)
def test_an_empty_argument_is_refused(browser, words):
    assert_clear(browser.browse(*words), 2)


def test_an_empty_command_is_refused(browser):
    assert_clear(browser.browse(""), 2, "browse help")
    assert post(browser, {"command": ""})[0] == 400


@pytest.mark.parametrize(
    "payload",
    [
        {"command": "js", "args": ["1\0"]},
        {"command": "goto", "args": ["http://127.0.0.1/\0"]},
        {"command": "js\0"},
        {"command": "eval", "args": ["/tmp/\0.js"]},
        b'{"command": "js", "args": ["\\ud800"]}',
        b'{"command": "\\ud800"}',
    ],
)
def test_characters_that_no_command_takes_are_refused_over_http(browser, payload):
    status, body = post(browser, payload)

    assert status == 400, body
    assert json.loads(body)["hint"]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"null",
        {"args": []},
        {"command": 1},
        {"command": "url", "args": "x"},
        {"command": "url", "args": [1]},
        {"command": "url", "tabId": "1"},
        {"command": "url", "more": 1},
        b'{"command":' + b"[" * 100_000,
    ],
)
def test_a_malformed_request_is_refused(browser, payload):
    status, body = post(browser, payload)

    assert (status, json.loads(body)["code"]) == (400, "bad-request")


@pytest.mark.parametrize("tab", [0, -1, 10**9, 10**30])
def test_a_tab_that_is_none_is_refused_over_http(browser, tab):
    status, body = post(browser, {"command": "url", "tabId": tab})

    assert (status, json.loads(body)["code"]) == (404, "tab-unknown")


@pytest.mark.parametrize("tab", ["0", "-1", "1000000000", "x", "1" * 5000])
def test_a_tab_that_is_none_is_refused_from_the_environment(browser, tab):
    assert_clear(browser.browse("url", BROWSE_TAB=tab), 3)
