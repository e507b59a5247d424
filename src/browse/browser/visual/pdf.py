"""Pages as PDF."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from playwright.async_api import Error as DriverError
from playwright.async_api import PdfMargins

from browse.browser.driver_errors import translated
from browse.browser.page.scripts import expression
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

PRINT_S = 60.0
# Paged.js sets the flag that is waited for; a page without it is printed as it is.
PAGED_MS = 3_000
PAGED_POLL_MS = 150
_PAGED = expression("standalone/is_paged")


@dataclass(frozen=True, slots=True)
class Sheet:
    """How to print; lengths are in inches."""

    width: float
    height: float
    margins: dict[str, float] = field(default_factory=dict)
    header: str = ""
    footer: str = ""
    tagged: bool = False
    outline: bool = False
    background: bool = False
    css_size: bool = False
    paged: bool = False


async def print_page(tab: Tab, sheet: Sheet) -> bytes:
    """Print a page, without touching its window."""
    _ = tab.frame  # a crashed tab says so first
    if sheet.paged:
        with suppress(DriverError):  # not every page is paged, and it is printed in any case
            await tab.page.wait_for_function(_PAGED, timeout=PAGED_MS, polling=PAGED_POLL_MS)
    try:
        async with asyncio.timeout(PRINT_S):
            with translated("printing the page"):
                return await _pdf(tab, sheet)
    except TimeoutError as exc:
        await tab.unstick()
        raise BrowseError(
            Code.TIMEOUT,
            f"The page was not printed within {PRINT_S:g} s.",
            hint="a script may keep it busy: `browse reload`, or `browse goto <url>`",
        ) from exc


async def _pdf(tab: Tab, sheet: Sheet) -> bytes:
    inches = {side: f"{length:g}in" for side, length in sheet.margins.items()}
    return await tab.page.pdf(
        width=f"{sheet.width:g}in",
        height=f"{sheet.height:g}in",
        margin=PdfMargins(**inches),  # type: ignore[typeddict-item] # the sides are its keys
        display_header_footer=bool(sheet.header or sheet.footer),
        header_template=sheet.header,
        footer_template=sheet.footer,
        tagged=sheet.tagged,
        outline=sheet.outline,
        print_background=sheet.background,
        prefer_css_page_size=sheet.css_size,
    )
