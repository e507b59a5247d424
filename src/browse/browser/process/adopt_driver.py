"""Pass Playwright a driver that is already running, instead of the one that it would start.

This uses Playwright's private modules. If they are missing or have changed, Playwright starts a
driver of its own in the same environment, and only time is lost.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from playwright.async_api import Playwright, async_playwright

from browse.browser.process.driver import DriverProcess

try:
    from playwright._impl import out_of_process
    from playwright._impl.transport import PipeTransport
except ImportError:  # as up to 1.64, and as may be again
    out_of_process = None  # type: ignore[assignment]

log = logging.getLogger(__name__)
READ_BYTES = 32_768


class Started(NamedTuple):
    """Playwright, and the pid of its driver: None if Playwright started the driver itself."""

    playwright: Playwright
    driver_pid: int | None


class _Running:
    """The part of asyncio's subprocess interface that Playwright's transport uses."""

    def __init__(
        self, stdin: asyncio.WriteTransport, stdout: asyncio.StreamReader, process: DriverProcess
    ) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.is_adopted = False
        self._pid = process.pid

    async def communicate(self) -> None:
        """Wait until the driver ends; the transport calls this after closing the driver's stdin."""
        while await self.stdout.read(READ_BYTES):
            pass
        await self.reap()

    async def kill(self) -> None:
        """Kill a driver that Playwright did not adopt."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        self.stdin.close()
        await self.reap()

    async def reap(self) -> None:
        """Wait for the ended process, so that it does not stay as a zombie."""
        with suppress(ChildProcessError):  # not a child of ours, or reaped already
            await asyncio.to_thread(os.waitpid, self._pid, 0)


async def start(process: DriverProcess | None) -> Started:
    """Start Playwright on a running driver, or on one of its own if that is not possible."""
    if process is None:
        return Started(await async_playwright().start(), None)
    running = await _streams(process)
    if playwright := await _start_on(running):
        return Started(playwright, process.pid)
    log.warning("this Playwright cannot take a running driver: starting takes longer")
    await running.kill()
    with _environment(process.environ):
        return Started(await async_playwright().start(), None)


async def _start_on(running: _Running) -> Playwright | None:
    """Start Playwright on this driver; None if this version of Playwright does not allow it."""
    if not hasattr(out_of_process, "PipeTransport"):
        return None

    class Adopting(PipeTransport):
        async def connect(self) -> None:
            running.is_adopted = True
            self._stopped_future = asyncio.Future()
            self._proc = running  # type: ignore[assignment] # see _Running
            self._output = running.stdin  # type: ignore[assignment] # it writes and closes it

    usual = out_of_process.PipeTransport
    out_of_process.PipeTransport = Adopting  # type: ignore[misc] # for one start
    try:
        playwright = await async_playwright().start()
    except Exception:  # any internal of Playwright may have changed
        if running.stdout.at_eof():  # the driver itself has ended
            await running.reap()
            raise
        log.warning("Playwright did not start on the running driver", exc_info=True)
        return None
    finally:
        out_of_process.PipeTransport = usual  # type: ignore[misc]
    if running.is_adopted:
        return playwright
    await playwright.stop()
    return None


@contextmanager
def _environment(environ: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for the driver that Playwright starts: it passes ours on."""
    before = dict(os.environ)  # noqa: TID251 - see above
    os.environ.update(environ)  # noqa: TID251
    try:
        yield
    finally:
        for name in environ.keys() - before.keys():
            os.environ.pop(name, None)  # noqa: TID251
        os.environ.update(before)  # noqa: TID251


async def _streams(process: DriverProcess) -> _Running:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=READ_BYTES)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(process.stdout, "rb", 0)
    )
    stdin, _ = await loop.connect_write_pipe(
        asyncio.BaseProtocol, os.fdopen(process.stdin, "wb", 0)
    )
    return _Running(stdin, reader, process)
