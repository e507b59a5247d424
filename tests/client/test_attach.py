"""`--cdp`: what the client takes of it, and when it does not fit the daemon that runs."""

import os

import pytest

from browse.client import attach, endpoint
from browse.client.wire import Failure


@pytest.mark.parametrize(
    ("words", "left", "address"),
    [
        (["--cdp", "9222", "url"], ["url"], "9222"),
        (["goto", "--cdp=ws://a/b?c=d", "x"], ["goto", "x"], "ws://a/b?c=d"),
        (["url", "--cdp", "http://a:1"], ["url"], "http://a:1"),
    ],
)
def test_the_flag_is_taken_out_and_set_for_the_daemon(monkeypatch, words, left, address):
    monkeypatch.setenv(attach.SETTING, "")

    assert attach.taken(words) == left
    assert os.environ[attach.SETTING] == address


@pytest.mark.parametrize("words", [["url", "--cdp"], ["url", "--cdp="], ["--cdp", "--json", "url"]])
def test_a_flag_without_an_address_is_explained(monkeypatch, words):
    monkeypatch.setenv(attach.SETTING, "")

    with pytest.raises(Failure) as caught:
        attach.taken(words)

    assert caught.value.code == 2
    assert "Usage: browse --cdp 9222" in caught.value.lines[1]


def daemon(path, **more: str) -> endpoint.Daemon:
    return endpoint.Daemon(str(path), {"pid": "1", "port": "2", "token": "t", **more})


@pytest.mark.parametrize(
    ("state", "asked", "said"),
    [
        ({}, "9222", "has a browser of its own"),
        ({"cdpUrl": "http://127.0.0.1:1"}, "9222", "is attached to 127.0.0.1:1"),
        ({"cdpUrl": "http://127.0.0.1:9222"}, "9222", ""),
        ({"cdpUrl": "extension"}, "9222", "is attached to your Chrome, through the extension,"),
        ({"cdpUrl": "wss://grid.example?key=hunter2"}, "9222", "is attached to grid.example,"),
    ],
)
def test_a_daemon_with_another_browser_is_left_alone(monkeypatch, tmp_path, state, asked, said):
    monkeypatch.setenv(attach.SETTING, asked)
    monkeypatch.setattr(endpoint, "living", lambda path: daemon(path, **state))

    if not said:
        attach.require_there(str(tmp_path))
        return
    with pytest.raises(Failure) as caught:
        attach.require_there(str(tmp_path))
    assert said in caught.value.lines[0]
    assert "hunter2" not in " ".join(caught.value.lines)


def test_the_next_daemon_attaches_where_the_last_one_was(monkeypatch, tmp_path):
    monkeypatch.setenv(attach.SETTING, "")
    attach.keep(None)
    attach.keep(daemon(tmp_path))
    assert not attach.is_asked_for()

    attach.keep(daemon(tmp_path, cdpUrl="http://127.0.0.1:9222"))

    assert attach.is_asked_for()
    assert os.environ[attach.SETTING] == "http://127.0.0.1:9222"
