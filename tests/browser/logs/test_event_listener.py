"""Listeners that are called by the thousand."""

import inspect

from browse.browser.logs.event_listener import quick


def test_a_listener_says_at_once_that_it_takes_one_event():
    heard: list[str] = []

    listener = quick(lambda event: heard.append(event))
    listener("one")

    assert heard == ["one"]
    assert inspect.signature(listener) is listener.__signature__  # type: ignore[attr-defined]
    assert list(inspect.signature(listener).parameters) == ["event"]
