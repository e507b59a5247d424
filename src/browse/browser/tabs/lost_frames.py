"""Was it the frame that went, or the tab, or only a document? One answer, whatever the moment.

The driver's words depend on when a frame goes: before, while or after it is asked something, and
whether it has a process of its own. And it tells of the end of a frame after it has failed what
was under way in it.
"""

from contextlib import suppress

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame

from browse.browser.driver_errors import Lost
from browse.browser.tabs.tab import Tab, frame_gone
from browse.core.errors import BrowseError, Code

Inside = Frame | None
DETACH_MS = 1000.0
# What is also said of a frame that has gone, when it is asked too late.
_TOO_LATE = (Code.NO_MATCH, Code.REF_STALE, Code.NOT_ACTIONABLE, Code.TIMEOUT)


async def seen(problem: BrowseError, tab: Tab, inside: Inside) -> BrowseError:
    """Say of a command that failed inside of a chosen frame whether it failed for the frame's end.

    `inside` is the frame that was chosen when the command began.
    """
    if inside is None or tab.closed or tab.crashed:
        return problem
    if isinstance(problem, Lost):
        gone = await _goes(tab, inside)
    else:
        gone = problem.code in _TOO_LATE and inside.is_detached()
    if not gone:
        return problem
    tab.left_behind()
    return frame_gone()


async def _goes(tab: Tab, frame: Frame) -> bool:
    """Tell whether a frame is gone; one that only shows another document stays."""
    if not frame.is_detached():
        with suppress(DriverError):  # it stays, or the whole page has gone
            await tab.page.wait_for_event(
                "framedetached", lambda gone: gone is frame, timeout=DETACH_MS
            )
    return frame.is_detached()
