"""Find out whether the chosen frame was removed, or the tab, or only a document.

The driver's message depends on when a frame is removed (before, during or after a call), and on
whether it has a process of its own. The driver reports the removal only after the call has failed.
"""

from contextlib import suppress

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame

from browse.browser.driver_errors import DocumentLost, frame_gone, page_flooded
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

Inside = Frame | None
DETACH_MS = 1000.0
# Errors that a removed frame may also cause, when it is used too late.
_TOO_LATE = (Code.NO_MATCH, Code.REF_STALE, Code.NOT_ACTIONABLE, Code.TIMEOUT)


async def explain_failure(problem: BrowseError, tab: Tab, inside: Inside) -> BrowseError:
    """Return the error to report for a command that failed in a chosen frame.

    It is the command's own, or that the frame is gone. `inside` is the frame that was chosen when
    the command began.
    """
    if tab.flooded and isinstance(problem, DocumentLost):
        return page_flooded()
    if inside is None or tab.closed or tab.crashed:
        return problem
    if isinstance(problem, DocumentLost):
        gone = await _goes(tab, inside)
    else:
        gone = problem.code in _TOO_LATE and inside.is_detached()
    if not gone:
        return problem
    tab.drop_lost_frame()
    return frame_gone()


async def _goes(tab: Tab, frame: Frame) -> bool:
    """Check whether a frame is gone; one that only loads another document stays."""
    if not frame.is_detached():
        with suppress(DriverError):  # the frame stays, or the whole page is gone
            await tab.page.wait_for_event(
                "framedetached", lambda gone: gone is frame, timeout=DETACH_MS
            )
    return frame.is_detached()
