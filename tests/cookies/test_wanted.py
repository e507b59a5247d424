"""Which cookies a domain stands for."""

import pytest

from browse.cookies.wanted import Wanted, parse_domain
from browse.core.errors import Usage


@pytest.mark.parametrize(
    ("wanted", "domain"),
    [
        ("github.com", "github.com"),
        ("github.com", ".github.com"),
        (".github.com", "github.com"),
        ("github.com", "gist.github.com"),
        ("GitHub.com", ".gist.github.com"),
        ("gist.github.com", ".github.com"),
        ("a.example, github.com", "github.com"),
        ("bücher.example", ".xn--bcher-kva.example"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_cookies_that_belong_to_a_domain(wanted, domain):
    assert Wanted.of(wanted).includes(domain)


@pytest.mark.parametrize(
    ("wanted", "domain"),
    [
        ("github.com", "notgithub.com"),
        ("gist.github.com", "github.com"),
        ("gist.github.com", ".api.github.com"),
        ("github.com", "github.com.evil.example"),
    ],
)
def test_cookies_that_do_not(wanted, domain):
    assert not Wanted.of(wanted).includes(domain)


def test_without_domains_all_are_wanted():
    assert Wanted().includes("anything.example")


@pytest.mark.parametrize("word", ["", ".", "a b", "https://a.example/", "a..b", ","])
def test_what_is_no_domain(word):
    with pytest.raises(Usage):
        Wanted.of(word)


def test_many_domains_are_named_in_short():
    assert str(Wanted.of("b.example,a.example")) == "a.example, b.example"
    assert str(Wanted.of(",".join(f"{n}.example" for n in "abcdefg"))).endswith(" and 2 more")
    assert parse_domain(".A.Example.") == "a.example"
