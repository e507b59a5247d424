"""What robots.txt asks of programs."""

import pytest

from browse.fleet.robots import Rules, page_of
from browse.fleet.visit import PageOutcome, PageState

TEXT = "User-agent: *\nDisallow: /private\nCrawl-delay: 2\n"


def rules(
    text: str = TEXT, *, status: int | None = 200, state: PageState = PageState.DONE
) -> Rules:
    return Rules(PageOutcome(-1, "", state, status=status, result={"page": {"text": text}}))


def test_what_is_asked_for_is_left_alone():
    found = rules()

    assert found.allow("http://a/x")
    assert not found.allow("http://a/private/x")
    assert found.delay_s == 2.0


def test_our_own_name_counts_before_all():
    found = rules("User-agent: browse\nDisallow:\n\nUser-agent: *\nDisallow: /\n")

    assert found.allow("http://a/x")


def test_a_site_without_rules_allows_all():
    assert rules("<h1>not found</h1>", status=404).allow("http://a/x")


@pytest.mark.parametrize("found", [rules(status=503), rules(status=None, state=PageState.FAILED)])
def test_rules_that_cannot_be_had_allow_nothing(found):
    assert not found.allow("http://a/x")


def test_rules_are_at_the_root_of_a_host():
    assert page_of("https://a:8443").url == "https://a:8443/robots.txt"
