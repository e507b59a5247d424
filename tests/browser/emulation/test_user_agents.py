"""A user agent and what goes with it do not contradict each other."""

import pytest

from browse.browser.emulation.user_agents import override

PIXEL = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/131.0.6778.33 Mobile Safari/537.36"
)
MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/131.0.0.0 Safari/537.36"
)
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like"
    " Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)


def test_a_phone_with_chrome_sends_hints_of_a_phone():
    made = override(PIXEL, "")
    hints = made["userAgentMetadata"]

    assert made["platform"] == "Linux armv81"
    assert (hints["platform"], hints["platformVersion"]) == ("Android", "14")
    assert (hints["model"], hints["mobile"], hints["architecture"]) == ("Pixel 7", True, "arm")
    assert {"brand": "Google Chrome", "version": "131"} in hints["brands"]
    assert {"brand": "Google Chrome", "version": "131.0.6778.33"} in hints["fullVersionList"]


def test_a_desktop_with_chrome_sends_hints_of_a_desktop():
    hints = override(MAC, "")["userAgentMetadata"]

    assert (hints["platform"], hints["platformVersion"]) == ("macOS", "10.15.7")
    assert (hints["model"], hints["mobile"]) == ("", False)


@pytest.mark.parametrize("agent", [IPHONE, "MyBot/1.0"])
def test_what_is_not_chromium_sends_no_hints(agent):
    assert "userAgentMetadata" not in override(agent, "")


@pytest.mark.parametrize(
    ("locale", "accepted"), [("de-DE", "de-DE,de"), ("ja", "ja"), ("zh-Hant-TW", "zh-Hant-TW,zh")]
)
def test_a_locale_is_accepted_with_its_language(locale, accepted):
    assert override("", locale) == {"userAgent": "", "acceptLanguage": accepted}
