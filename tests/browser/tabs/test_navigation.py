"""Which addresses mean the same document; that pages are left is shown end to end."""

import pytest

from browse.browser.tabs.navigation import same


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("http://site.test", "http://site.test/"),
        ("http://site.test/a#part", "http://site.test/a"),
        ("http://site.test:80/a", "http://site.test/a"),
        ("https://me:secret@site.test:443/a", "https://site.test/a"),
        ("http://site.test/a b?q=ü", "http://site.test/a%20b?q=%C3%BC"),
        ("about:blank", "about:blank"),
    ],
)
def test_an_address_is_known_however_it_is_spelled(asked, shown):
    assert same(asked, shown)


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("http://site.test/a", "http://site.test/b"),
        ("http://site.test/a", "http://site.test/a?1"),
        ("http://site.test/a", "https://site.test/a"),
        ("http://site.test:8080/a", "http://site.test/a"),
        ("about:blank", "http://blank/"),
    ],
)
def test_other_addresses_are_others(asked, shown):
    assert not same(asked, shown)
