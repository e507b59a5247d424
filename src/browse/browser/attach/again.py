"""Attach again to a browser that was lost."""

from browse.browser.process.browser import Browser


async def attach_again(browser: Browser) -> bool:
    """Attach again if the browser was lost; return whether it was. Raise if it is not there."""
    async with browser.switching:
        was_lost = browser.is_lost
        if was_lost:
            await browser.begin_again()
        await browser.tabs()
    return was_lost
