"""Reading pages with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e


def test_text_puts_blocks_on_their_own_lines_and_leaves_hidden_text_out(browser, site):
    url = site.page("/blocks", "<div>A</div><div>B</div><p style='display:none'>secret</p>")
    browser.ok("goto", url)

    assert browser.ok("text").page == "A\nB"
