"""Giving Playwright a driver that runs already, in place of the one that it would start.

This reaches into Playwright's own modules, whose version the lock pins. Should they look different
one day, Playwright starts a driver by itself and only time is lost.
"""

import asyncio
import os
from contextlib import suppress

from playwright._impl import out_of_process
from playwright._impl.transport import PipeTransport
from playwright.async_api import Playwright, async_playwright

from browse.browser.process.driver import DriverProcess

READ_BYTES = 32_768


class _Running:
    """As much of asyncio's subprocess as the transport uses."""

    def __init__(self, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, pid: int) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self._pid = pid

    async def communicate(self) -> None:
        """Wait for its end; the transport does, after it has closed the driver's stdin."""
        while await self.stdout.read(READ_BYTES):
            pass
        with suppress(ChildProcessError):  # somebody else's business, or gone already
            await asyncio.to_thread(os.waitpid, self._pid, 0)


async def start(process: DriverProcess | None) -> Playwright:
    """Start Playwright on a running driver, or on one of its own where there is none."""
    if process is None or not hasattr(out_of_process, "PipeTransport"):
        return await async_playwright().start()
    running = await _streams(process)

    class Adopting(PipeTransport):
        async def connect(self) -> None:
            self._stopped_future = asyncio.Future()
            self._proc = running  # type: ignore[assignment] # see _Running
            self._output = running.stdin

    usual = out_of_process.PipeTransport
    out_of_process.PipeTransport = Adopting  # type: ignore[misc] # for one start
    try:
        return await async_playwright().start()
    finally:
        out_of_process.PipeTransport = usual  # type: ignore[misc]


async def _streams(process: DriverProcess) -> _Running:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=READ_BYTES)
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(process.stdout, "rb", 0)
    )
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(process.stdin, "wb", 0)
    )
    return _Running(asyncio.StreamWriter(transport, protocol, None, loop), reader, process.pid)
