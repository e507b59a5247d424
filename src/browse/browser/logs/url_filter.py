"""Match addresses against a caller's regular expression, in a process of its own.

Python's matching can take for ever, for an expression and an address that fit together badly. There
it holds up nothing else, and is ended.
"""

import asyncio
import json
import re
import sys

from browse.core.children import Child, Launch

MATCH_S = 2.0
START_S = 20.0
MAX_URL_CHARS = 2_000


class FilterFailed(Exception):
    """The expression took too long for an address, or its process ended."""


class UrlFilter:
    """A regular expression, and the process that knows it."""

    def __init__(self, pattern: str, child: Child) -> None:
        self.pattern = pattern
        self._child = child
        self._turn = asyncio.Lock()
        self._failed = False

    @classmethod
    async def start(cls, pattern: str) -> "UrlFilter":
        """Start the process; raise `FilterFailed` if it does not come."""
        argv = [sys.executable, "-I", "-m", __name__]
        made = cls(pattern, await Child.start(Launch(argv, environ={}, stdin=True)))
        await made.ask(pattern, START_S)
        return made

    async def matches(self, url: str) -> bool:
        """Tell whether an address matches; raise `FilterFailed` if that cannot be told."""
        return await self.ask(url[:MAX_URL_CHARS], MATCH_S)

    async def close(self) -> None:
        """End the process."""
        self._failed = True
        await self._child.kill()

    async def ask(self, text: str, limit_s: float) -> bool:
        """Send a line and read the answer."""
        async with self._turn:
            if self._failed:
                raise FilterFailed
            try:
                async with asyncio.timeout(limit_s):
                    self._child.stdin.write(json.dumps(text).encode() + b"\n")
                    await self._child.stdin.drain()
                    answer = await self._child.stdout.readline()
            except (OSError, TimeoutError) as exc:
                await self.close()
                raise FilterFailed from exc
        if not answer:
            raise FilterFailed
        return answer == b"1\n"


def main() -> None:
    """Read an expression, then addresses, each in a line of JSON; answer each with 1 or 0."""
    regex = re.compile(json.loads(sys.stdin.readline()))
    _answer(True)
    for line in sys.stdin:
        _answer(regex.search(json.loads(line)) is not None)


def _answer(yes: bool) -> None:
    sys.stdout.write(f"{int(yes)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
