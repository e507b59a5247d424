"""`connect` and `disconnect`: what the client adds, and what it answers by itself."""

import os

import pytest

from browse import _where
from browse.client import endpoint, start, window
from browse.client.wire import Failure


@pytest.mark.parametrize(
    ("words", "environ", "sent"),
    [
        (["connect"], {}, ["connect"]),
        (["connect"], {"DISPLAY": ":3"}, ["connect", "--display=:3"]),
        (
            ["connect", "--json"],
            {"DISPLAY": ":3", "XAUTHORITY": "/run/cookie"},
            ["connect", "--json", "--display=:3", "--xauthority=/run/cookie"],
        ),
        (["connect", "--display=:1"], {"DISPLAY": ":3"}, ["connect", "--display=:1"]),
        (["disconnect"], {"DISPLAY": ":3"}, ["disconnect"]),
    ],
)
def test_the_display_of_the_terminal_goes_along(monkeypatch, words, environ, sent):
    for name in ("DISPLAY", "XAUTHORITY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    assert window.with_display(words) == sent


def note(project, text: str) -> None:
    project.state.parent.mkdir(mode=0o700, exist_ok=True)
    (project.state.parent / _where.WINDOW_NOTE).write_text(text)


def test_disconnect_starts_nothing(project):
    done = project.run("disconnect")

    assert done.stdout.decode() == f"{window.NOT_HEADED}\n"
    assert project.children == []


def test_disconnect_ends_the_attempts_to_open_a_lost_window_again(project):
    note(project, "open 1 2\n")

    first, second = project.run("disconnect", "--json"), project.run("disconnect", "--json")

    assert b'"disconnected":true' in first.stdout
    assert b'"disconnected":false' in second.stdout
    assert project.children == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("open 1 2\n", "The window was lost"),
        ("closed\n", "The window was closed"),
        ("", "Starting"),
    ],
)
def test_a_start_says_what_became_of_the_window(project, text, said):
    note(project, text)

    done = project.run("url", child="serve")

    assert said in done.stderr.decode()


def test_a_window_that_is_lost_too_often_is_given_up(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    lost: list[float] = []

    for _ in window.BACKOFF_SECONDS:
        window._wait(lost)
    with pytest.raises(Failure):
        window._wait(lost)

    assert tuple(slept) == window.BACKOFF_SECONDS


@pytest.mark.parametrize(("mode", "kept"), [("headed", "1"), ("launched", None)])
def test_a_daemon_that_replaces_one_with_a_window_has_one_too(monkeypatch, mode, kept):
    monkeypatch.delenv("BROWSE_HEADED", raising=False)
    state = {"pid": "1", "port": "2", "token": "t", "mode": mode}

    start.keep_window(endpoint.Daemon("/p", state))

    assert os.environ.get("BROWSE_HEADED") == kept
    monkeypatch.delenv("BROWSE_HEADED", raising=False)
