"""A ring buffer: the newest entries, limited in number and in size."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
MAX_ENTRIES = 50_000
# Fifty thousand long entries would be hundreds of megabytes.
MAX_BYTES = 32 * 1024 * 1024


class RingBuffer(Generic[T]):
    """Keeps the newest entries; adding one takes constant time."""

    def __init__(
        self,
        weigh: Callable[[T], int],
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.total = 0
        self.bytes = 0
        self._weigh = weigh
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._entries: deque[T] = deque()

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[T]:
        """Iterate over a copy of the entries, oldest first."""
        return iter(list(self._entries))

    @property
    def oldest(self) -> int:
        """The number of the oldest entry, or of the next one if there is none.

        Entries are numbered from 1; a number is never used twice.
        """
        return self.total - len(self._entries) + 1

    def numbered(self) -> list[tuple[int, T]]:
        """Return the entries with their numbers, oldest first."""
        return list(enumerate(self._entries, self.oldest))

    def add(self, entry: T) -> None:
        """Add an entry; drop the oldest to make room."""
        self.total += 1
        self.bytes += self._weigh(entry)
        self._entries.append(entry)
        while len(self._entries) > self._max_entries or self.bytes > self._max_bytes:
            self.bytes -= self._weigh(self._entries.popleft())

    def clear(self) -> None:
        """Drop all entries; numbering continues."""
        self._entries.clear()
        self.bytes = 0
