"""Lend a tab of the owner to another client, and take it back."""

from browse.auth.caller import Caller
from browse.auth.terms import Terms
from browse.browser.network.request_rules import TabRules
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs


async def lend(tabs: Tabs, tab: Tab, terms: Terms) -> None:
    """Give a tab to a client until it is taken back, within the client's domains."""
    if terms.domains:
        await tabs.set_rules(tab, TabRules(domains=terms.domains))
    tab.owner = terms.client
    tabs.leases.drop(tab=tab.id)
    tabs.leases.take(terms.client, tab.id)


def take_back(tabs: Tabs, tab: Tab, caller: Caller) -> None:
    """End the use of a tab by others; only the owner takes a client's tab."""
    if caller.is_owner:
        tab.owner = ""
    tabs.leases.drop(tab=tab.id)
