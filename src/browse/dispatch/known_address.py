"""The address that a caller was last told for a tab: a reply names it only if it has changed."""

from browse.browser.tabs.refs import MAX_CALLERS
from browse.browser.tabs.tab import Tab
from browse.registry.results import PageText, Result, Text, inline_url

MAX_URL_CHARS = 2000


def shown_url(tab: Tab) -> str:
    """Return the tab's address as our lines show it."""
    return inline_url(tab.url, MAX_URL_CHARS)


def is_known(tab: Tab, caller: str) -> bool:
    """Check whether the address is the one that a caller was last told."""
    return tab.known_urls.get(caller) == tab.url


def url_if_known(tab: Tab | None, caller: str, result: Result) -> str:
    """Return the tab's address if the caller knows it, also from the result itself; else ""."""
    if tab is None:
        return ""
    remember_told(tab, caller, result)
    return tab.url if is_known(tab, caller) else ""


def remember_told(tab: Tab, caller: str, result: Result) -> None:
    """Record that a line of ours tells the tab's address, if it does."""
    if isinstance(result, Text) and shown_url(tab) in result.text.split():
        _tell(tab, caller)


def remember_shown(tab: Tab | None, caller: str, result: Result) -> None:
    """Record that a reply with page words of the tab's own address has left."""
    if tab and isinstance(result, Text | PageText) and result.source == tab.url:
        _tell(tab, caller)


def _tell(tab: Tab, caller: str) -> None:
    tab.known_urls.pop(caller, None)
    tab.known_urls[caller] = tab.url
    for oldest in list(tab.known_urls)[:-MAX_CALLERS]:
        del tab.known_urls[oldest]
