"""Tabs that no command may use."""

import pytest

from browse.browser.tabs.leases import Leases
from browse.browser.tabs.not_yours import refuse_if_held, refuse_internal
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from support.fakes import a_caller


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


@pytest.mark.parametrize(
    ("scopes", "may_take"),
    [(Scope.every(), True), (Scope.READ | Scope.WRITE, False), (Scope.READ | Scope.META, True)],
)
def test_only_who_can_take_a_tab_is_told_how(scopes, may_take):
    leases = Leases()
    leases.take("other", 3)

    with pytest.raises(BrowseError) as caught:
        refuse_if_held(leases, 3, a_caller(scopes))

    assert ("--take" in caught.value.hint) is may_take
