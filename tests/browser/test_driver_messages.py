"""What the messages of the driver mean. That it still writes them is shown end to end."""

import pytest

from browse.browser.driver_messages import (
    ActionProgress,
    Meaning,
    Obstacle,
    exception,
    is_no_field,
    is_replaced,
    is_thrown,
    matches,
    means,
    network_error,
    not_started,
    tried,
    unfit,
)


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("Page.title: Target crashed", Meaning.CRASHED),
        ("Target page, context or browser has been closed", Meaning.CLOSED),
        ("Page.goto: Download is starting", Meaning.DOWNLOAD),
        ("Frame.evaluate: Execution context was destroyed", Meaning.NAVIGATED),
        ("Frame.evaluate: Resulting promise was garbage collected.", Meaning.NAVIGATED),
        ("Page.reload: Protocol error: Not attached to an active page", Meaning.NAVIGATED),
        ("Page.reload: Protocol error: Not attached to an active page", Meaning.UNSETTLED),
        ("ElementHandle.fill: Element is not attached to the DOM", Meaning.DETACHED),
        ("Another locale override is already in effect", Meaning.SET_ELSEWHERE),
        (
            "Protocol error: Unable to capture screenshot",
            Meaning.NO_PICTURE,
        ),
    ],
)
def test_a_message_has_its_meaning(message, meaning):
    assert means(message, meaning)
    assert not means("something new", meaning)


@pytest.mark.parametrize(
    ("message", "thrown"),
    [
        ("Page.evaluate: TypeError: x", True),
        ("Uncaught Error: has been closed", True),
        ("Page.title: Target crashed", False),
    ],
)
def test_the_exception_of_a_script_is_told_apart(message, thrown):
    assert is_thrown(message) is thrown


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/", "ERR_CONNECTION_REFUSED"),
        ("net::ERR_ABORTED", "ERR_ABORTED"),
        ("Page.goto: Timeout", ""),
    ],
)
def test_the_network_has_names_for_what_went_wrong(message, name):
    assert network_error(message) == name


def test_a_navigation_that_was_aborted_is_replaced_only_if_no_server_did_it():
    assert is_replaced("x is interrupted by another navigation to y", by_page=False)
    assert is_replaced("Page.goto: net::ERR_ABORTED", by_page=True)
    assert not is_replaced("Page.goto: net::ERR_ABORTED", by_page=False)


def test_matches_are_counted_and_listed():
    message = "resolved to 2 elements:\n    1) <p>one</p>\n    2) <p>two</p>\n\nCall log:\n"

    assert matches(message) == (2, "1) <p>one</p>\n2) <p>two</p>")
    assert matches("") == (0, "")


def test_what_an_element_does_not_take_is_said():
    assert unfit('fill: Error: Input of type "date" cannot be filled') == (
        'Input of type "date" cannot be filled'
    )
    assert unfit("fill: Error: Cannot type text into input[type=number]\nCall log:") == (
        "Cannot type text into input[type=number]"
    )
    assert unfit("Timeout") == ""


def test_what_is_no_field_is_told_from_what_takes_another_form():
    assert is_no_field("fill: Error: Element is not an <input>, <textarea>, <select> or …")
    assert not is_no_field("fill: Error: Cannot type text into input[type=number]")


@pytest.mark.parametrize(
    ("log", "found"),
    [
        ("waiting for locator", ActionProgress()),
        ("attempting click action", ActionProgress(began=True)),
        ("element is not stable", ActionProgress(Obstacle.UNSTABLE)),
        ("element is not visible\nelement is inert", ActionProgress(Obstacle.INERT)),
        ("element is inert\n<b> intercepts pointer events", ActionProgress(covering="<b>")),
        ("<b> intercepts pointer events\nelement is inert", ActionProgress(Obstacle.INERT)),
        ("attempting x\nperforming x", ActionProgress(began=True, performed=True)),
    ],
)
def test_what_the_log_tells_last_counts(log, found):
    assert tried(log) == found


def test_an_exception_is_shown_without_the_drivers_lines():
    stack = "Page.evaluate: Error: x\n    at f (a.js:1:1)\n    at UtilityScript.evaluate (:2:2)"

    assert exception(stack) == "Error: x\n    at f (a.js:1:1)"


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (
            "launch: x\n[pid=1][err] [1:1:FATAL:zygote.cc(1)] No usable sandbox!",
            "No usable sandbox!",
        ),
        ("x\n[err] sh: unexpected operator\n[err] cannot open display", "cannot open display"),
        ("BrowserType.launch: spawn /x ENOENT", "spawn /x ENOENT"),
        ("BrowserType.launch: Timeout 1ms exceeded.\nCall log:", "Timeout 1ms exceeded."),
        ("something new\nand more", "something new"),
    ],
)
def test_the_telling_line_of_a_failed_start_is_found(report, reason):
    assert not_started(report) == reason
