"""The HTML of pages that were read: a few for each tab, compressed, in memory only."""

import asyncio
import zlib

from browse.flow.step_store import Key
from browse.guard.credentials import masked
from browse.guard.secrets import without_field_values

MAX_HTML_CHARS = 2 * 1024 * 1024
MAX_TAB_PAGES = 6
MAX_BYTES = 16 * 1024 * 1024


class Pages:
    """Keeps the HTML of pages by tab and step, without what was typed into secret fields."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Key, int], bytes] = {}

    async def add(self, key: Key, number: int, html: str) -> None:
        """Keep a page; drop the oldest ones if there is no room."""
        packed = await asyncio.to_thread(_packed, html)
        mine = [each for each in self._kept if each[0] == key]
        for each in mine[: max(0, len(mine) + 1 - MAX_TAB_PAGES)]:
            del self._kept[each]
        while self._kept and sum(map(len, self._kept.values())) + len(packed) > MAX_BYTES:
            del self._kept[next(iter(self._kept))]
        self._kept[key, number] = packed

    def get(self, key: Key, number: int) -> str | None:
        """Return a page."""
        packed = self._kept.get((key, number))
        return zlib.decompress(packed).decode() if packed is not None else None


def _packed(html: str) -> bytes:
    return zlib.compress(masked(without_field_values(html)).encode("utf-8", "replace"), 1)
