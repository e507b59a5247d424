"""Let what holds for one session and its tabs hold in a copy of it."""

import msgspec

from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs


async def copy_emulation(source: Tabs, copy: Tabs) -> None:
    """Emulate in another session what is emulated in this one, in the tabs that come."""
    copy.emulation.screen = source.emulation.screen
    await copy.emulate(**msgspec.structs.asdict(source.emulation.now))
    if source.emulation.headers:
        await copy.emulation.set_headers(dict(source.emulation.headers))


async def copy_limits(source: Tabs, tab: Tab, copy: Tabs, twin: Tab) -> None:
    """Give a blank tab of another session the limits and the size of a tab of this one."""
    twin.screen = tab.screen
    with translated("setting the rules of the tab"):
        if rules := await source.request_rules.of(tab.page):
            await copy.request_rules.set(twin.page, rules)
        await copy.request_rules.files.grant(
            twin.page, source.request_rules.files.granted(tab.page)
        )
