"""Tabs that no command may use."""

import pytest

from browse.browser.tabs.not_yours import refuse_internal
from browse.core.errors import BrowseError, Code


@pytest.mark.parametrize(
    "url", ["chrome://settings/passwords", "chrome-extension://a/b.html", "devtools://x"]
)
def test_pages_of_the_browser_itself_are_the_persons(url):
    with pytest.raises(BrowseError) as caught:
        refuse_internal(url)

    assert caught.value.code is Code.URL_REFUSED


@pytest.mark.parametrize(
    "url", ["about:blank", "https://chrome.example/", "chrome-error://chromewebdata/"]
)
def test_other_pages_are_not(url):
    refuse_internal(url)
