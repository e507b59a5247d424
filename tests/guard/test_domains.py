"""Domain globs."""

import pytest

from browse.core.errors import Usage
from browse.guard.domains import MAX_GLOBS, allowed, globs


@pytest.mark.parametrize(
    ("host", "glob", "covered"),
    [
        ("example.com", "example.com", True),
        ("EXAMPLE.com.", "example.com", True),
        ("www.example.com", "example.com", False),
        ("www.example.com", "*.example.com", True),
        ("a.b.example.com", "*.example.com", True),
        ("example.com", "*.example.com", True),
        ("badexample.com", "*.example.com", False),
        ("example.com.evil.org", "*.example.com", False),
        ("", "example.com", False),
    ],
)
def test_which_hosts_a_glob_covers(host, glob, covered):
    assert allowed(host, (glob,)) is covered


def test_nothing_is_covered_by_nothing():
    assert not allowed("example.com", ())


def test_globs_come_in_lists_and_alone():
    assert globs(["Example.com, *.b.org", "example.com."]) == ("example.com", "*.b.org")


@pytest.mark.parametrize(
    "bad",
    ["", "*", "*.", "a b", "https://a.com", "a.com/x", "*.*.com", "a..b", "-a.com", "x" * 300, "ä"],
    ids=ascii,
)
def test_what_is_no_domain_is_refused(bad):
    with pytest.raises(Usage):
        globs([bad])


def test_there_is_an_end_to_them():
    with pytest.raises(Usage):
        globs([",".join(f"a{number}.com" for number in range(MAX_GLOBS + 1))])
