"""The end of a Chromium with a window: how it ended must be known before it is made to end."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from browse.browser.process.running_chromium import RunningChromium, StartedChromium

# Ends by itself when its stdin is closed, and then with 0; a signal ends it with another code.
ENDING = "import sys; print(flush=True); sys.stdin.read()"


class FakeWindow:
    """The window's context, which the driver has lost by now."""

    async def close(self) -> None:
        pass


@pytest.fixture
def process() -> Iterator[subprocess.Popen]:
    with subprocess.Popen(
        [sys.executable, "-c", ENDING], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout
        started.stdout.readline()
        yield started
        started.kill()


def in_window(process: subprocess.Popen) -> RunningChromium:
    nothing: Any = None
    window: Any = FakeWindow()
    chromium = RunningChromium(StartedChromium(nothing, window), nothing)
    chromium.pid = process.pid
    return chromium


async def test_a_window_that_a_person_closes_ends_by_itself(process):
    closing = asyncio.create_task(in_window(process).close(lost=True))
    await asyncio.sleep(0)  # it has begun to wait

    process.stdin.close()

    await closing
    assert process.wait() == 0


async def test_a_window_that_we_close_is_made_to_end(process):
    await in_window(process).close()

    assert process.wait() == -signal.SIGTERM
