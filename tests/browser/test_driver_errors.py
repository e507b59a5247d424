"""The driver's exceptions become errors that say what to type next.

The messages are those of the real driver; that it still writes them is shown end to end.
"""

import pytest
from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import (
    PageUnreachable,
    ScriptThrew,
    acting,
    tab_crashed,
    translated,
)
from browse.browser.engine_name import ENGINE
from browse.core.errors import BrowseError, Code

STRICT = """Locator.text_content: Error: strict mode violation: locator("p") resolved to 2 elements:
    1) <p>one</p> aka get_by_text("one")
    2) <p>two</p> aka get_by_text("two")

Call log:
  - waiting for locator("p")
"""


def explained(message: str, *, selector: str = "") -> BrowseError:
    with pytest.raises(BrowseError) as caught, translated("reading the page", selector=selector):
        raise DriverError(message)
    return caught.value


@pytest.mark.parametrize(
    ("message", "code", "words"),
    [
        ("Page.title: Target crashed", Code.TAB_CRASHED, "crashed"),
        ("Page.goto: Page crashed", Code.TAB_CRASHED, "crashed"),
        (
            "Page.title: Target page, context or browser has been closed",
            Code.TAB_CLOSED,
            "closed while reading the page",
        ),
        ("Connection closed while reading from the driver", Code.TAB_CLOSED, "closed"),
        (
            "Page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/",
            Code.NAVIGATION_FAILED,
            "nothing listens at that address (ERR_CONNECTION_REFUSED)",
        ),
        (
            "Page.goto: net::ERR_CERT_DATE_INVALID at https://x/",
            Code.NAVIGATION_FAILED,
            "certificate is not valid",
        ),
        ("Page.goto: net::ERR_SOMETHING_NEW at x", Code.NAVIGATION_FAILED, "ERR_SOMETHING_NEW"),
        ("Page.goto: Download is starting", Code.NAVIGATION_FAILED, "download"),
        (
            'Page.goto: Navigation to "x" is interrupted by another navigation to "y"',
            Code.NAVIGATION_FAILED,
            "Another navigation",
        ),
        (
            "Frame.evaluate: Execution context was destroyed, most likely because of a navigation",
            Code.SCRIPT_FAILED,
            "navigated away",
        ),
        ("Frame.text_content: Frame was detached", Code.SCRIPT_FAILED, "navigated away"),
        (
            "ElementHandle.query_selector: Protocol error (DOM.describeNode): "
            "Cannot find context with specified id",
            Code.SCRIPT_FAILED,
            "navigated away",
        ),
        ("ElementHandle.fill: Frame has been detached.", Code.SCRIPT_FAILED, "navigated away"),
        (
            "CDPSession.send: Protocol error (Runtime.evaluate): "
            "Inspected target navigated or closed",
            Code.SCRIPT_FAILED,
            "navigated away",
        ),
        (
            "Page.reload: Protocol error (Page.reload): Not attached to an active page",
            Code.SCRIPT_FAILED,
            "navigated away",
        ),
        ("Frame.evaluate: Internal server error, session closed.", Code.TAB_CLOSED, "closed"),
    ],
)
def test_a_failure_of_the_browser_is_explained(message, code, words):
    error = explained(message)

    assert error.code is code
    assert words in error.message
    assert error.hint
    assert error.page == ""


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Page.goto: net::ERR_CONNECTION_REFUSED at http://127.0.0.1:1/", True),
        ("Page.goto: net::ERR_BLOCKED_BY_CLIENT at http://127.0.0.1:1/", True),
        ("Page.goto: net::ERR_ABORTED at http://127.0.0.1:1/", False),
        ('Page.goto: Navigation to "x" is interrupted by another navigation to "y"', False),
    ],
)
def test_it_is_known_when_the_browser_shows_an_error_page(message, shown):
    error = explained(message)

    assert (isinstance(error, PageUnreachable) and error.leads_to_error_page) is shown


def test_a_timeout_names_what_was_under_way():
    with pytest.raises(BrowseError) as caught, translated("waiting for the text"):
        raise DriverTimeout("Timeout 100ms exceeded.")

    assert caught.value.code is Code.TIMEOUT
    assert "while waiting for the text" in caught.value.message


def test_an_exception_of_the_page_is_the_pages_words():
    error = explained(
        "Page.evaluate: TypeError: x is not a function\n"
        "    at eval (eval at evaluate (:302:30), <anonymous>:1:7)\n"
        "    at UtilityScript.evaluate (<anonymous>:304:16)"
    )

    assert error.code is Code.SCRIPT_FAILED
    assert error.page == "TypeError: x is not a function"
    assert "TypeError" not in error.message


@pytest.mark.parametrize(
    "thrown",
    ["the stream has been closed", "Target crashed", "net::ERR_FAILED", "Download is starting"],
)
def test_an_exception_of_the_page_cannot_pass_for_one_of_the_browser(thrown):
    error = explained(f"Page.evaluate: Error: {thrown}\n    at <anonymous>:1:7")

    assert error.code is Code.SCRIPT_FAILED
    assert thrown in error.page


@pytest.mark.parametrize(
    "message",
    [
        "Locator.count: SyntaxError: Failed to execute 'querySelectorAll' on 'Document': "
        "'a[' is not a valid selector.",
        'Locator.count: Unexpected token "" while parsing css selector "a[". Did you mean to '
        "CSS.escape it?",
        'Locator.count: Unknown engine "foo" while parsing selector foo=bar',
    ],
)
def test_a_bad_selector_is_named(message):
    error = explained(message, selector="a[" + "x" * 200)

    assert error.code is Code.SELECTOR_INVALID
    assert "'a[x" in error.message
    assert len(error.message) < 150


def test_several_matches_are_counted_and_listed_as_the_pages_words():
    error = explained(STRICT, selector="p")

    assert error.code is Code.SEVERAL_MATCH
    assert error.message == "'p' matches 2 elements."
    assert error.page.splitlines() == [
        '1) <p>one</p> aka get_by_text("one")',
        '2) <p>two</p> aka get_by_text("two")',
    ]


def test_several_matches_without_a_count_are_several():
    error = explained("Error: strict mode violation", selector="p")

    assert error.message == "'p' matches several elements."


@pytest.mark.parametrize(
    ("thrown", "hopeless"), [("SyntaxError: Unexpected token", True), ("TypeError: x", False)]
)
def test_a_script_that_can_never_run_is_known(thrown, hopeless):
    error = explained(f"Page.evaluate: {thrown}")

    assert isinstance(error, ScriptThrew)
    assert error.is_syntax_error is hopeless


def test_the_cause_is_kept():
    assert isinstance(explained("Page.title: Target crashed").__cause__, DriverError)


def test_an_error_of_ours_passes_as_it_is():
    ours = tab_crashed()

    with pytest.raises(BrowseError) as caught, translated("reading"):
        raise ours

    assert caught.value is ours


def obstacle(problem: DriverError, target: str = "#a") -> BrowseError:
    with pytest.raises(BrowseError) as caught, acting("pressing it", target=target):
        raise problem
    return caught.value


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("element is not enabled", "it is disabled"),
        ("element is inert", "a dialog keeps it from use"),
        ("element is not editable", "it cannot be edited"),
        ("element is not visible", "it cannot be seen"),
        (
            "element is outside of the viewport",
            "it is outside of the window and cannot be scrolled in",
        ),
        ("element is not stable", "it keeps moving"),
    ],
)
def test_what_stands_in_the_way_of_an_action_is_said(log, words):
    error = obstacle(DriverTimeout(f"Timeout 5000ms exceeded.\nCall log:\n  - {log}"))

    assert error.code is Code.NOT_ACTIONABLE
    assert error.message == f"#a: {words}; pressing it was not done."


def test_what_covers_an_element_is_the_pages_words():
    error = obstacle(
        DriverTimeout("Timeout\n - <b>x</b> from <div id=veil> subtree intercepts pointer events")
    )

    assert error.code is Code.NOT_ACTIONABLE
    assert "veil" not in error.message
    assert error.page == "covered by: <b>x</b> in <div id=veil>"


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("attempting click action\n - waiting for element to be visible", "was not done"),
        (
            "element is not stable\n - performing click action\n - waiting for navigations",
            "may have been reached or not",
        ),
    ],
)
def test_page_that_is_too_busy_is_not_said_to_have_lost_the_element(log, words):
    error = obstacle(DriverTimeout(f"Timeout 5000ms exceeded.\nCall log:\n - {log}"))

    assert error.code is Code.TIMEOUT
    assert words in error.message


def test_what_was_met_last_is_what_stands_in_the_way():
    met = ["element is not visible", "<b>x</b> intercepts pointer events", "element is not stable"]

    first = obstacle(DriverTimeout(f"Timeout\n - {met[1]}\n - {met[2]}"))
    second = obstacle(DriverTimeout(f"Timeout\n - {met[0]}\n - {met[1]}"))

    assert "it keeps moving" in first.message
    assert "is covered" in second.message


@pytest.mark.parametrize(("target", "code"), [("@e1", Code.REF_STALE), ("#a", Code.NO_MATCH)])
@pytest.mark.parametrize(
    "problem",
    [
        DriverTimeout("Timeout 5000ms exceeded.\n - waiting for locator"),
        DriverError("ElementHandle.fill: Element is not attached to the DOM"),
    ],
)
def test_what_went_away_before_the_action_is_said(problem, target, code):
    assert obstacle(problem, target).code is code


def test_field_of_the_wrong_kind_is_said():
    error = obstacle(DriverError('fill: Error: Input of type "checkbox" cannot be filled'))

    assert error.code is Code.NOT_ACTIONABLE
    assert 'Input of type "checkbox" cannot be filled' in error.message


def test_action_in_a_closed_tab_says_so():
    assert obstacle(DriverError("Target page, context or browser has been closed")).code is (
        Code.TAB_CLOSED
    )


@pytest.mark.parametrize("how", [translated, lambda it: acting(it, target="@e1")])
@pytest.mark.parametrize("kind", [DriverError, DriverTimeout])
def test_no_message_tells_the_name_of_our_engine(how, kind):
    log = f"x is broken\nCall log:\n  - waiting for locator('{ENGINE}=1@e1')\n"

    with pytest.raises(BrowseError) as caught, how("reading"):
        raise kind(f"Locator.click: Error: {log}")

    error = caught.value
    assert ENGINE not in f"{error.message} {error.hint} {error.page}"
