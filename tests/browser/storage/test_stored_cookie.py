"""What Chromium demands of a cookie, told before it refuses it."""

from dataclasses import replace

import pytest

from browse.browser.storage.stored_cookie import StoredCookie

NOW = 1_800_000_000.0
GOOD = StoredCookie(name="a", value="secret", domain="a.example")


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"expires": NOW + 1},
        {"value": "x" * 4095},
        {"value": "é€ \U0001f600"},
        {"name": "__Host-a", "secure": True},
        {"name": "__Secure-a", "secure": True, "domain": ".a.example", "path": "/p"},
        {"same_site": "None", "secure": True},
        {"partition": "https://t.example", "secure": True},
        {"name": "", "value": "only a value"},
    ],
)
def test_cookies_that_can_be_kept(changes):
    assert replace(GOOD, **changes).why_unfit(NOW) == ""


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"expires": NOW}, "it expired on 2027-01-15"),
        ({"expires": -1e18}, "it expired"),
        ({"value": "x" * 4096}, "name and value have 4,097 bytes; a cookie has at most 4,096"),
        ({"value": "é" * 2048}, "4,097 bytes"),
        ({"value": "\udcff"}, "not UTF-8"),
        ({"value": "a;b"}, "a character that cookies cannot have"),
        ({"value": "a\nb"}, "a character that cookies cannot have"),
        ({"name": "a=b"}, "a character that cookies cannot have"),
        ({"value": " a"}, "begins or ends with a blank"),
        ({"name": "", "value": ""}, "neither a name nor a value"),
        ({"name": "__Host-a"}, "must be Secure"),
        ({"name": "__host-a", "secure": True, "domain": ".a.example"}, "without a domain"),
        ({"name": "__Host-a", "secure": True, "path": "/p"}, "with the path /"),
        ({"name": "__Secure-a"}, "must be Secure"),
        ({"same_site": "None"}, "a SameSite=None cookie must be Secure"),
        ({"partition": "https://t.example"}, "a partitioned cookie must be Secure"),
    ],
)
def test_cookies_that_cannot(changes, why):
    assert why in replace(GOOD, **changes).why_unfit(NOW)


def test_a_value_is_never_printed():
    assert "secret" not in repr(GOOD)
