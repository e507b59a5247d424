"""Host names for the door: looked up by the system, once for all who ask, and kept for a while."""

import asyncio
import socket
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from browse.core.tasks import spawn

KEPT_S = 30.0
MAX_KEPT = 1_000
LOOKUP_S = 10.0
# Of our own: names that do not answer shall not keep other work of the daemon from a thread.
THREADS = 16


class Names:
    """A resolver; what it says is checked by who uses it, each time."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")
        self._asked: OrderedDict[str, tuple[float, asyncio.Task[list[str]]]] = OrderedDict()

    async def __call__(self, host: str) -> list[str]:
        asked_at, asking = self._asked.get(host, (0.0, None))
        stale = asking is None or time.monotonic() - asked_at > KEPT_S
        if asking is None or stale or (asking.done() and not _found(asking)):
            asking = spawn(self._look_up(host), name="look up a name")
            self._asked[host] = (time.monotonic(), asking)
            self._asked.move_to_end(host)
            if len(self._asked) > MAX_KEPT:
                self._asked.popitem(last=False)
        return await asyncio.shield(asking)

    async def _look_up(self, host: str) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(LOOKUP_S):
                rows = await loop.run_in_executor(self._threads, _ask, host)
        except (OSError, UnicodeError):  # UnicodeError: a label longer than DNS allows
            return []
        return list(dict.fromkeys(str(row[4][0]) for row in rows))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def _ask(host: str) -> list[tuple[object, object, object, object, tuple[object, ...]]]:
    return list(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))


def _found(asking: asyncio.Task[list[str]]) -> bool:
    return not asking.cancelled() and bool(asking.result())
