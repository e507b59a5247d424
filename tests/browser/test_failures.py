"""The driver's exceptions become errors that say what to type next.

The messages are those of the real driver; that it still writes them is shown end to end.
"""

import pytest
from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.failures import several_match, tab_crashed, translated
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
    ],
)
def test_a_failure_of_the_browser_is_explained(message, code, words):
    error = explained(message)

    assert error.code is code
    assert words in error.message
    assert error.hint
    assert error.page == ""


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
    assert several_match("p", "").message == "'p' matches several elements."


def test_the_cause_is_kept():
    assert isinstance(explained("Page.title: Target crashed").__cause__, DriverError)


def test_an_error_of_ours_passes_as_it_is():
    ours = tab_crashed()

    with pytest.raises(BrowseError) as caught, translated("reading"):
        raise ours

    assert caught.value is ours
