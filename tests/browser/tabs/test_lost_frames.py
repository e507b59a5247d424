"""A frame that goes is told as just that, whatever the driver said and when; others are not."""

from typing import Any

import pytest
from playwright.async_api import Error as DriverError
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import translated
from browse.browser.tabs.lost_frames import explain_failure
from browse.core.errors import BrowseError, Code

# What the driver says when a frame goes: before it is asked, while it answers, with its process.
WORDS = [
    "Frame.evaluate: Frame was detached",
    "Frame.evaluate: Execution context was destroyed, most likely because of a navigation",
    "Frame.text_content: Target page, context or browser has been closed",
    "ElementHandle.fill: Frame has been detached.",
    "Frame.evaluate: Protocol error (Runtime.evaluate): Cannot find context with specified id",
    "Frame.evaluate: Protocol error (Runtime.evaluate): Inspected target navigated or closed",
    "Frame.evaluate: Internal server error, session closed.",
]


class Frame:
    """A frame that is there, gone, or about to go."""

    def __init__(self, state: str) -> None:
        self.state = state

    def is_detached(self) -> bool:
        return self.state == "gone"


class Tab:
    """As much of a tab as has to do with its chosen frame; its page tells when that goes."""

    closed = crashed = flooded = False

    def __init__(self, frame: Frame) -> None:
        self.page = self
        self.frame = frame
        self.told = 0

    async def wait_for_event(self, event: str, fits, **_: float) -> None:
        assert (event, fits(self.frame)) == ("framedetached", True)
        if self.frame.state != "going":
            raise DriverTimeout("it stays")
        self.frame.state = "gone"

    def drop_lost_frame(self) -> bool:
        self.told += 1
        return True


def a_tab(state: str) -> Any:
    """Make a tab whose chosen frame is in some state; the type is that of a stand-in."""
    return Tab(Frame(state))


def failure(words: str) -> BrowseError:
    with pytest.raises(BrowseError) as caught, translated("running your script"):
        raise DriverError(words)
    return caught.value


@pytest.mark.parametrize("state", ["gone", "going"])
@pytest.mark.parametrize("words", WORDS)
async def test_a_frame_that_goes_is_told_whatever_the_driver_says(words, state):
    tab = a_tab(state)

    error = await explain_failure(failure(words), tab, tab.frame)

    assert error.code is Code.FRAME_GONE
    assert tab.told == 1


@pytest.mark.parametrize("words", WORDS)
async def test_a_frame_that_stays_is_not_said_to_be_gone(words):
    tab, problem = a_tab("there"), failure(words)

    assert await explain_failure(problem, tab, tab.frame) is problem


@pytest.mark.parametrize("words", WORDS)
async def test_a_tab_that_closed_is_no_frame(words):
    tab, problem = a_tab("gone"), failure(words)
    tab.closed = True

    assert await explain_failure(problem, tab, tab.frame) is problem


async def test_without_a_chosen_frame_nothing_is_asked():
    problem = failure(WORDS[0])

    assert await explain_failure(problem, a_tab("gone"), None) is problem


@pytest.mark.parametrize(
    ("code", "told"),
    [(Code.NO_MATCH, Code.FRAME_GONE), (Code.USAGE, Code.USAGE), (Code.IN_FRAME, Code.IN_FRAME)],
)
async def test_what_is_asked_too_late_finds_no_frame(code, told):
    tab = a_tab("gone")

    error = await explain_failure(BrowseError(code, "x", hint="x"), tab, tab.frame)

    assert error.code is told
