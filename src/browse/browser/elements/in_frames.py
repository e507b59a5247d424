"""Elements in other frames than the one where a selector was looked for."""

from collections.abc import Callable

import msgspec
from playwright.async_api import Frame, Locator

from browse.browser.elements.fingerprints import frame_path
from browse.browser.page import scripts
from browse.browser.page.matches import Matches
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

# Leads a selector into a frame: `iframe.shop >>> #pay`.
ENTER = " >>> "
MAX_FRAMES = 20
MAX_SHOWN = 5
MAX_URL_CHARS = 120


class FrameMatch(msgspec.Struct, frozen=True):
    """The elements that a selector finds in one frame, and the selectors that lead there."""

    frame: Frame
    path: tuple[str, ...]
    found: Matches

    def word(self, selector: str) -> str:
        """Return the selector that finds them from the page; "" if no selector leads there."""
        return ENTER.join((*self.path, selector)) if all(self.path) else ""

    def line(self, selector: str) -> str:
        it = self.found.elements[0]
        more = f" and {self.found.count - 1} more" if self.found.count > 1 else ""
        where = f"the frame {self.frame.url[:MAX_URL_CHARS]}" if self.path else "the main page"
        typed = f": {self.word(selector)}" if self.path and all(self.path) else ""
        return f'[{it.role}] "{it.name or it.words}"{more} in {where}{typed}'


async def search(
    tab: Tab, selector: str, to_locator: Callable[[Frame, str], Locator]
) -> list[FrameMatch]:
    """Search the tab's other frames for a selector; a frame that does not answer has no match."""
    if ENTER in selector:
        return []
    others = [
        frame for frame in tab.page.frames if frame is not tab.frame and not frame.is_detached()
    ]
    found = []
    for frame in others[:MAX_FRAMES]:
        try:
            matches = await scripts.described(
                frame, to_locator(frame, selector), selector=selector, most=1, worded=True
            )
            if matches.count:
                found.append(FrameMatch(frame, await frame_path(frame), matches))
        except BrowseError:
            continue
    return found


def only_there(selector: str, found: list[FrameMatch], where: str) -> BrowseError:
    """Build the error for a selector that matches only in other frames."""
    places = f"{len(found)} other frames have" if len(found) > 1 else "another frame has"
    hint = "name the frame too, as shown: '<frame> >>> <selector>'"
    if not found[0].path:
        hint = "go back to the main page first: browse frame main"
    elif not any(it.word(selector) for it in found):
        hint = "use a ref of `browse snapshot -i`, which needs no frame"
    return BrowseError(
        Code.NO_MATCH,
        f"Nothing {where} matches {selector[:80]!r}, but {places} a match. Nothing was done.",
        hint=hint,
        page="\n".join(it.line(selector) for it in found[:MAX_SHOWN]),
    )
