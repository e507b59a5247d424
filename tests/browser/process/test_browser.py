"""The browser's life, before there is one."""

import pytest

from browse.browser.driver_errors import DocumentLost
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.process.browser import Browser
from browse.browser.process.browser_errors import stopping
from browse.browser.process.running_chromium import StartedChromium
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.security.canary import Canary


@pytest.fixture
def browser(tmp_path) -> Browser:
    paths = Paths(tmp_path / ".gstack/browse.json", tmp_path / "home")
    return Browser(Settings(), paths, OutboundScan(Canary()), on_gone=lambda _: None)


def test_a_browser_that_was_not_begun_is_not_up(browser):
    assert not browser.is_up
    assert browser.open_tabs is None


async def test_to_use_it_then_is_a_defect(browser):
    with pytest.raises(RuntimeError, match="not begun"):
        await browser.tabs()


async def test_it_can_be_closed_all_the_same(browser):
    await browser.close()

    assert not browser.is_up


async def test_a_tab_that_closes_at_the_start_is_the_end_of_the_browser(browser):
    async def launch(*_: object) -> StartedChromium:
        raise DocumentLost(Code.TAB_CLOSED, "The tab was closed.", hint="browse tabs")

    browser.begin(None, launch)

    with pytest.raises(BrowseError, match="Chromium ended") as told:
        await browser.tabs()

    assert told.value.code is Code.BROWSER_START
    await browser.close()


def test_the_end_is_said_with_what_to_do():
    assert stopping().code is Code.DAEMON_STOPPING
    assert "again" in stopping().hint
