"""From the word that a caller typed to the one element that it means."""

import shlex

from playwright.async_api import Frame, Locator

from browse.browser.failures import several_match, translated
from browse.core.errors import BrowseError, Code


def locator(frame: Frame, selector: str) -> Locator:
    """Turn a selector into a locator; refs are refused until a snapshot has shown them."""
    if selector.startswith("@"):
        raise BrowseError(
            Code.REF_UNKNOWN,
            f"Ref {selector[:20]} not found: no snapshot of this tab has shown it.",
            hint="use a CSS selector, or text=, role=, xpath=",
        )
    return frame.locator(selector)


async def exactly_one(frame: Frame, selector: str) -> Locator:
    """Find the one element a selector means; none or several is an error at once."""
    place = locator(frame, selector)
    with translated("looking for the element", selector=selector):
        count = await place.count()
    if count == 0:
        raise no_match(selector)
    if count > 1:
        raise several_match(selector, f"resolved to {count} elements")
    return place


def no_match(selector: str) -> BrowseError:
    """Say that nothing matches, and what to look at."""
    command = f"browse wait {shlex.quote(selector[:80])}"
    return BrowseError(
        Code.NO_MATCH,
        f"Nothing on the page matches {selector[:80]!r}.",
        hint=f"check it with `browse html`, or wait for it: {command}",
    )
