"""Attach to a browser that runs, instead of starting one."""

from playwright.async_api import Error as DriverError
from playwright.async_api import Playwright

from browse.browser.attach.endpoint import shown, unusable
from browse.browser.attach.relay import Relay
from browse.browser.network.debugging_ports import LookUp
from browse.browser.process.attached_browser import AttachedBrowser
from browse.browser.process.launch import LAUNCH_MS
from browse.browser.process.running_chromium import Launch, StartedChromium


def attached(address: str, look_up: LookUp) -> Launch:
    """Return what attaches to the browser at an address; it is left as it was at the end."""

    async def launch(driver: Playwright, _: list[str]) -> StartedChromium:
        relay = await Relay.to(address)
        try:
            ports = await relay.ports(look_up)
            browser = await driver.chromium.connect_over_cdp(
                await relay.listen(), no_defaults=True, timeout=LAUNCH_MS
            )
        except DriverError as exc:
            await relay.close()
            raise unusable(address, "it does not answer as a Chromium does") from exc
        except BaseException:
            await relay.close()
            raise

        async def at_end(_: bool) -> None:
            await relay.close()

        return StartedChromium(
            browser,
            at_end=at_end,
            attachment=AttachedBrowser(shown(address), relay.product, relay, ports),
            usual=browser.contexts[0],
        )

    return launch
