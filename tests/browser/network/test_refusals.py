"""What did not get through, and why."""

import time

import pytest
from msgspec.structs import replace

from browse.browser.network.refusals import KEPT_S, MAX_KEPT, Refusal, Refusals
from browse.core.errors import Code

FOR_EVER = float("inf")
RULE = Refusal("it is not allowed", at=FOR_EVER)
NET = Refusal("", "ERR_NAME_NOT_RESOLVED", at=FOR_EVER)


@pytest.mark.parametrize(
    ("failure", "url", "found"),
    [
        ("ERR_SOCKS_CONNECTION_FAILED", "http://a.test:81/x", NET),
        ("ERR_SOCKS_CONNECTION_FAILED", "http://b.test/x", None),
        ("ERR_BLOCKED_BY_CLIENT", "http://a.test/fenced", RULE),
        ("ERR_BLOCKED_BY_CLIENT", "http://a.test/other", None),
        ("ERR_ABORTED", "http://a.test/fenced", None),
    ],
)
def test_reason_is_found_by_host_or_address_as_the_failure_demands(failure, url, found):
    kept = Refusals()
    kept.note("a.test", NET)
    kept.note("http://a.test/fenced", RULE)

    assert kept.cause_of(failure, url) is found


def test_host_that_the_page_chose_is_said_as_the_pages():
    error = RULE.error("evil.test")

    assert error.code is Code.URL_REFUSED
    assert "it is not allowed" in error.message
    assert "evil.test" not in error.message + error.hint
    assert error.page == "host: evil.test"


def test_reasons_are_bounded_and_forgotten():
    kept = Refusals()
    kept.note("old.test", replace(RULE, at=time.monotonic() - KEPT_S))
    assert kept.about("old.test") is None

    kept.note("first.test", RULE)
    for number in range(MAX_KEPT):
        kept.note(f"{number}.test", RULE)
    assert kept.about("first.test") is None
    assert kept.about("1.test") is RULE
