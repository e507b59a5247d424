"""Bring a tab's window to the front, also one that was minimised."""

from browse.browser.driver_errors import translated
from browse.browser.tabs import activation
from browse.browser.tabs.tab import Tab

MINIMIZED, NORMAL = "minimized", "normal"


async def to_front(tab: Tab) -> None:
    """Show a tab in its window, and the window above others."""
    session = await tab.protocol()
    with translated("bringing the window to the front"):
        window = await session.send("Browser.getWindowForTarget")
        if window["bounds"].get("windowState") == MINIMIZED:
            bounds = {"windowId": window["windowId"], "bounds": {"windowState": NORMAL}}
            await session.send("Browser.setWindowBounds", bounds)
        with activation.by_us(tab.page.context):
            activation.is_in_front(tab.page)
            await tab.page.bring_to_front()
