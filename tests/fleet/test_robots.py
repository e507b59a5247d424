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


@pytest.mark.parametrize(
    ("text", "refused", "allowed"),
    [
        ("Disallow: /*.pdf$", ["/a/b.pdf"], ["/a/b.pdf?x=1", "/pdf"]),
        ("Disallow: /*/private", ["/a/private", "/a/b/private/x"], ["/private", "/a/x"]),
        ("Disallow: /a$", ["/a"], ["/ab", "/a/", "/"]),
        ("Disallow: /*x*x*y$", ["/xxy", "/axbxcy"], ["/xy", "/xxyz"]),
        ("Disallow: /*?", ["/a?b=1", "/?b"], ["/a"]),
        ("Disallow: /caf%C3%A9", ["/caf%c3%a9", "/café"], ["/cafe"]),
        ("Allow: /a/b\nDisallow: /a", ["/a", "/a/c"], ["/a/b", "/a/bc"]),
        ("Disallow: /a\nAllow: /a/b", ["/a", "/a/c"], ["/a/b"]),
        ("Disallow: /a\nAllow: /a", [], ["/a"]),
        ("Disallow:", [], ["/", "/a"]),
        ("Disallow: /a # not this", ["/a"], ["/b"]),
        ("disallow : /a", ["/a"], ["/b"]),
    ],
)
def test_the_longest_path_that_fits_decides(text, refused, allowed):
    found = rules(f"\ufeffUser-agent: *\n{text}\n")

    assert [path for path in refused if found.allow(f"http://a{path}")] == []
    assert [path for path in allowed if not found.allow(f"http://a{path}")] == []


def test_several_names_share_a_group_and_several_groups_a_name():
    text = (
        "User-agent: other\nUser-agent: Browse/1.0\nDisallow: /a\nSitemap: http://a/s.xml\n"
        "User-agent: *\nDisallow: /\nUser-agent: browse\nDisallow: /b\n"
    )
    found = rules(text)

    assert [it for it in "abc" if found.allow(f"http://a/{it}")] == ["c"]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Crawl-delay: 0.5", 0.5),
        ("Request-rate: 1/5", 5.0),
        ("Request-rate: 4/2", 0.5),
        ("Crawl-delay: soon", 0.0),
        ("Crawl-delay: -1", 0.0),
        ("Crawl-delay: inf", 0.0),
        ("Request-rate: 0/5", 0.0),
    ],
)
def test_the_pace_that_a_site_asks_for(line, seconds):
    assert rules(f"User-agent: *\n{line}\n").delay_s == seconds


def test_a_pattern_made_to_take_long_does_not():
    found = rules("User-agent: *\nDisallow: /" + "*a" * 2_000 + "b$\n")

    assert found.allow("http://a/" + "a" * 4_000)
