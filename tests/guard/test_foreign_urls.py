"""Addresses that pages and servers give: of the web only, and quoted as theirs when refused."""

import pytest

from browse.core.errors import BrowseError
from browse.guard.urls import check_foreign


async def public(_: str, /) -> list[str]:
    return ["93.184.216.34"]


async def metadata(_: str, /) -> list[str]:
    return ["169.254.169.254"]


async def test_an_address_of_the_web_is_admitted():
    url = await check_foreign(" HTTP://Example.com/a", public)

    assert url.text == "http://example.com/a"


@pytest.mark.parametrize(
    ("raw", "quoted"),
    [
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("about:blank", "about:blank"),
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("//example.com/x", "//example.com/x"),
        ("http://169.254.169.254/", "Blocked: 169.254.169.254"),
        ("http://[not an address]/", "Invalid URL"),
        ("http://named.example/", "resolves to a cloud metadata address"),
    ],
)
async def test_what_is_refused_is_quoted_as_the_pages(raw, quoted):
    with pytest.raises(BrowseError) as caught:
        await check_foreign(raw, metadata)

    assert quoted in caught.value.page
    assert raw not in caught.value.message + caught.value.hint
