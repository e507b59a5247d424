"""Flags that turn off what makes Chromium send requests by itself, for a page.

Such a request is made in Chromium's own process: no request rule holds it, no route answers it, and
no log has it. Pages do without these features where they are missing.
"""

# Sign-in by another site, auctions and reports of advertising, downloads after the page is closed,
# requests after the page is closed.
_FEATURES = (
    "FedCm",
    "Fledge",
    "AdInterestGroupAPI",
    "AttributionReporting",
    "BackgroundFetch",
    "FetchLaterAPI",
)
# Speculation rules cannot be turned off; with room for none, no prefetch begins.
_LIMIT = "kPrefetchSchedulerTestingActiveSetSizeLimitFor"
_NO_PREFETCH = f"PrefetchSchedulerTesting:{_LIMIT}Base/0/{_LIMIT}Burst/0"
# Of two flags with one name, Chromium takes the last: these are the driver's own, and the one that
# makes `navigator.webdriver` false (decision 0049).
_OF_AUTOMATION = "AutomationControlled"
_OF_THE_DRIVER = ("CDPScreenshotNewSurface", "SkipListAccountsWithoutGaiaCookies")
# Pages offer tools to agents where it is on, and can see that it is (decision 0059).
_TOOLS = "WebMCP"


def flags(*, stealth: bool) -> tuple[str, ...]:
    """Return the flags; with `stealth`, nothing is on that pages could tell the browser by."""
    enabled = (*_OF_THE_DRIVER, _NO_PREFETCH, *(() if stealth else (_TOOLS,)))
    return (
        f"--disable-blink-features={','.join((*_FEATURES, _OF_AUTOMATION))}",
        f"--enable-features={','.join(enabled)}",
    )
