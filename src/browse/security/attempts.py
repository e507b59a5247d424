"""The log of what was refused: from the tunnel, from pages, whoever tried.

A flood costs at most 60 lines a minute; the rest is counted. Addresses, hosts and payloads are kept
as salted hashes, and words that could be a token are masked, so the log gives nothing away.
"""

import logging
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum

import msgspec

from browse.core.clock import stamp
from browse.core.errors import BrowseError
from browse.core.log_file import LogFile
from browse.core.paths import Paths
from browse.core.text import well_formed
from browse.security.salt import device_salt, salted

log = logging.getLogger(__name__)
MAX_FILE_BYTES = 10 * 1024 * 1024
GENERATIONS = 5
MAX_WRITES = 60
WINDOW_S = 60.0
MAX_VALUE_CHARS = 200
HASHED = ("source", "host", "payload")
MASK = "****"
_TOKEN = re.compile(r"[A-Za-z0-9_~+/=-]{24,}")

Value = str | int | float | bool


class Outcome(StrEnum):
    """What became of what an entry is about."""

    REFUSED = "refused"
    WARNED = "warned"
    NOTED = "noted"


class Attempts:
    """Adds entries without ever making the caller wait."""

    def __init__(
        self,
        paths: Paths,
        *,
        clock: Callable[[], float] = time.monotonic,
        on_added: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._paths = paths
        self._on_added = on_added  # called with the kind of each entry
        self._clock = clock
        self._file = LogFile(paths.attempts_log, max_bytes=MAX_FILE_BYTES, generations=GENERATIONS)
        self._kept_salt = b""
        self._recent: deque[float] = deque()
        self._dropped = 0

    def add(self, *, kind: str, reason: str, **fields: Value) -> None:
        """Note an attempt; `source`, `host` and `payload` are hashed, a `path` loses its query."""
        now = self._clock()
        while self._recent and now - self._recent[0] >= WINDOW_S:
            self._recent.popleft()
        if len(self._recent) >= MAX_WRITES:
            self._dropped += 1
            return
        self._recent.append(now)
        entry: dict[str, Value] = {"ts": stamp(), "kind": kind, "reason": reason, **fields}
        if self._dropped:
            entry["droppedSinceLastWrite"] = self._dropped
            self._dropped = 0
        self._file.add(lambda: _line(entry, self._salt()))
        self._on_added(kind)

    async def close(self) -> None:
        """Write what waits still."""
        await self._file.close()

    def _salt(self) -> bytes:
        try:
            self._kept_salt = self._kept_salt or device_salt(self._paths.device_salt)
        except (OSError, BrowseError) as exc:
            log.warning("no lasting salt for attempts.jsonl: %s", exc)
            self._kept_salt = secrets.token_bytes(32)
        return self._kept_salt


def _line(entry: Mapping[str, Value], salt: bytes) -> str:
    kept = {
        name: _kept(name, value, salt) if isinstance(value, str) else value
        for name, value in entry.items()
    }
    return msgspec.json.encode(kept).decode()


def _kept(name: str, value: str, salt: bytes) -> str:
    if name in HASHED:
        return salted(salt, value)
    if name == "path":
        value = re.split(r"[?#]", value, maxsplit=1)[0]
    masked = value if name in ("ts", "kind") else _masked(value)
    return well_formed(masked[:MAX_VALUE_CHARS])


def _masked(value: str) -> str:
    """Mask stretches that could be a token: long, with a digit in it."""
    return _TOKEN.sub(lambda run: MASK if re.search(r"\d", run[0]) else run[0], value)
