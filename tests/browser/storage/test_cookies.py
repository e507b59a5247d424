"""Which hosts a domain covers, and where scripts may run after an import."""

import pytest

from browse.browser.storage.cookies import Imported, covers, host_of
from browse.core.errors import BrowseError, Code


@pytest.mark.parametrize(
    ("domain", "host"),
    [
        ("a.example", "a.example"),
        (".a.example", "a.example"),
        ("a.example", "x.a.example"),
        ("A.Example", "a.example"),
        ("localhost", "localhost"),
    ],
)
def test_hosts_that_a_domain_covers(domain, host):
    assert covers(domain, host)


@pytest.mark.parametrize(
    ("domain", "host"),
    [
        ("a.example", "ba.example"),
        ("x.a.example", "a.example"),
        ("com", "a.com"),
        ("", "a"),
    ],
)
def test_hosts_that_it_does_not_cover(domain, host):
    assert not covers(domain, host)


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x", "https://x.a.example/p"])
def test_scripts_run_on_imported_domains_and_on_no_site_at_all(url):
    imported = Imported()
    imported.domains.add("a.example")

    imported.check(url)

    assert imported.domains == {"a.example"}


@pytest.mark.parametrize(
    "url", ["https://evil.example/", "file:///x.html", "blob:https://a.example/1"]
)
def test_scripts_are_refused_elsewhere(url):
    imported = Imported()
    imported.domains |= {"b.example", "a.example"}

    with pytest.raises(BrowseError) as caught:
        imported.check(url)

    assert caught.value.code is Code.SCRIPT_REFUSED
    assert f"({host_of(url) or 'without a host'})" in caught.value.message
    assert "Imported cookies for: a.example, b.example." in caught.value.message


def test_without_an_import_scripts_run_everywhere():
    imported = Imported()

    imported.check("https://evil.example/")

    assert not imported.domains


def test_a_malformed_address_has_no_host():
    assert host_of("http://[::1") == ""
