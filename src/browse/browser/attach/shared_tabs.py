"""The tabs that a person shares through our extension: where it connects, and how we attach."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from msgspec.structs import replace
from playwright.async_api import Error as DriverError
from playwright.async_api import Playwright

from browse.browser.attach.again import attach_again
from browse.browser.attach.extension_browser import ExtensionBrowser
from browse.browser.attach.messages import Params
from browse.browser.attach.relay import Relay
from browse.browser.process.attached_browser import THROUGH_EXTENSION, AttachedBrowser
from browse.browser.process.browser import Browser, Mode
from browse.browser.process.browser_errors import lost
from browse.browser.process.launch import LAUNCH_MS
from browse.browser.process.running_chromium import Launch, StartedChromium
from browse.core.tasks import spawn

COME_S = 5.0
LEAVE_S = 2.0
_PRODUCT = re.compile(r"Chrome/[0-9.]+")


class SharedTabs:
    """One connection of the extension at a time; `on_ready` is called when one has come."""

    def __init__(self) -> None:
        self._link: ExtensionBrowser | None = None
        self._ready = asyncio.Event()
        self._free = asyncio.Event()
        self._free.set()
        self.on_ready: Callable[[], None] = lambda: None

    async def is_free(self) -> bool:
        """Check whether no other browser shares its tabs; wait a moment for one that leaves."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_S):
                await self._free.wait()
        return self._link is None

    async def serve(
        self, tell: Callable[[Params], Awaitable[None]], said: AsyncIterator[Params]
    ) -> None:
        """Take what an extension says, until it leaves."""
        hello = await anext(said)
        agent = str(hello.get("agent", ""))[:300]
        product = _PRODUCT.search(agent)
        link = self._link = ExtensionBrowser(tell, product[0] if product else "Chrome", agent)
        self._free.clear()
        try:
            async for one in said:
                if one.get("event") == "ready":
                    self._ready.set()
                    self.on_ready()
                elif one.get("event") != "ping":
                    link.hear(one)
        finally:
            self._link = None
            self._free.set()
            self._ready.clear()
            link.left()

    async def come(self) -> ExtensionBrowser:
        """Return the browser that shares tabs; raise if none does."""
        with suppress(TimeoutError):
            async with asyncio.timeout(COME_S):
                await self._ready.wait()
        if self._link is None:
            raise lost(THROUGH_EXTENSION)
        return self._link


def through_extension(shared: SharedTabs) -> Launch:
    """Return what attaches to the tabs that a person shares."""

    async def launch(driver: Playwright, _: list[str]) -> StartedChromium:
        relay = await Relay.over(await shared.come())
        try:
            browser = await driver.chromium.connect_over_cdp(
                await relay.listen(), no_defaults=True, timeout=LAUNCH_MS
            )
        except DriverError as exc:
            await relay.close()
            raise lost(THROUGH_EXTENSION) from exc
        except BaseException:
            await relay.close()
            raise

        async def at_end(_: bool) -> None:
            await relay.close()

        about = replace(THROUGH_EXTENSION, product=relay.product, outside=relay, shared_tabs=shared)
        return StartedChromium(browser, at_end=at_end, attachment=about, usual=browser.contexts[0])

    return launch


def expect_shared_tabs(browser: Browser) -> tuple[Launch, Mode, AttachedBrowser]:
    """Wait for a browser that shares tabs, however late it comes."""
    shared = SharedTabs()

    def ready() -> None:
        if browser.is_lost:
            spawn(attach_again(browser), name="attach to tabs that are shared")

    shared.on_ready = ready
    return (
        through_extension(shared),
        "cdp",
        replace(THROUGH_EXTENSION, shared_tabs=shared),
    )
