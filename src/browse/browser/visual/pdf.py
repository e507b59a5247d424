"""Print a page as PDF."""

import asyncio
from contextlib import suppress

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import PdfMargins

from browse.browser.driver_errors import translated
from browse.browser.page.engine_source import expression
from browse.browser.tabs.tab import Tab
from browse.browser.visual.covered_secrets import without_secrets
from browse.browser.visual.screenshots import without_own_drawings
from browse.core.errors import BrowseError, Code

PRINT_S = 60.0
# Paged.js sets this flag when it is done; a page without it is printed as it is.
PAGED_MS = 3_000
PAGED_POLL_MS = 150
_PAGED = expression("standalone/is_paged")


class PrintSettings(msgspec.Struct, frozen=True):
    """How to print; lengths are in inches."""

    width: float
    height: float
    margins: dict[str, float] = msgspec.field(default_factory=dict)
    header: str = ""
    footer: str = ""
    tagged: bool = False
    outline: bool = False
    background: bool = False
    css_size: bool = False
    paged: bool = False


async def print_page(tab: Tab, settings: PrintSettings) -> bytes:
    """Print a page without resizing its window."""
    _ = tab.frame  # a crashed tab says so first
    if settings.paged:
        with suppress(DriverError):  # not every page uses Paged.js; it is printed in any case
            await tab.page.wait_for_function(_PAGED, timeout=PAGED_MS, polling=PAGED_POLL_MS)
    try:
        async with asyncio.timeout(PRINT_S):
            # Print styles may be emulated away.
            async with without_own_drawings(tab), without_secrets(tab):
                with translated("printing the page"):
                    return await _pdf(tab, settings)
    except TimeoutError as exc:
        await tab.unstick()
        raise BrowseError(
            Code.TIMEOUT,
            f"The page was not printed within {PRINT_S:g} s.",
            hint="a script may keep it busy: `browse reload`, or `browse goto <url>`",
        ) from exc


async def _pdf(tab: Tab, settings: PrintSettings) -> bytes:
    inches = {side: f"{length:g}in" for side, length in settings.margins.items()}
    return await tab.page.pdf(
        width=f"{settings.width:g}in",
        height=f"{settings.height:g}in",
        margin=PdfMargins(**inches),  # type: ignore[typeddict-item] # the sides are its keys
        display_header_footer=bool(settings.header or settings.footer),
        header_template=settings.header,
        footer_template=settings.footer,
        tagged=settings.tagged,
        outline=settings.outline,
        print_background=settings.background,
        prefer_css_page_size=settings.css_size,
    )
