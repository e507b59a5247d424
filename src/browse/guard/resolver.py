"""The resolver: host names are looked up by the system, once for all callers, and cached.

Checks of addresses and the connections that Chromium makes use the same cache, so what was
checked is what is connected to. The caller checks the answer, each time.
"""

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from browse.core.tasks import spawn

KEPT_S = 30.0
# So that the check of an address and its connection wait only once for a dead name.
KEPT_FAILED_S = 1.0
MAX_KEPT = 1_000
LOOKUP_S = 10.0
# A pool of our own: names that do not resolve must not block other threads of the daemon.
THREADS = 16


class Resolver(Protocol):
    """Look up a host name's addresses, of both families; raise OSError when there are none."""

    async def __call__(self, host: str, /) -> list[str]: ...


def _ask(host: str) -> list[str]:
    rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


class SystemResolver:
    """Asks the system; a name that cannot be resolved has no addresses."""

    def __init__(
        self,
        ask: Callable[[str], list[str]] = _ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="resolver")
        self._kept: OrderedDict[str, tuple[float, list[str]]] = OrderedDict()
        self._asking: dict[str, asyncio.Task[list[str]]] = {}

    async def __call__(self, host: str, /) -> list[str]:
        until, addresses = self._kept.get(host, (0.0, []))
        if self._clock() < until:
            return addresses
        if host not in self._asking:
            self._asking[host] = spawn(self._look_up(host), name="look up a name")
        return await asyncio.shield(self._asking[host])

    async def _look_up(self, host: str) -> list[str]:
        addresses: list[str] = []
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LOOKUP_S):
                addresses = await loop.run_in_executor(self._threads, self._ask, host)
        except (OSError, UnicodeError):  # UnicodeError: a label longer than DNS allows
            addresses = []
        finally:
            del self._asking[host]
        self._keep(host, addresses)
        return addresses

    def _keep(self, host: str, addresses: list[str]) -> None:
        self._kept[host] = (self._clock() + (KEPT_S if addresses else KEPT_FAILED_S), addresses)
        self._kept.move_to_end(host)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)


# One for the whole daemon.
system_resolver = SystemResolver()
