"""A bounded memory of what happened: the newest entries, within a number and a weight."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
MAX_ENTRIES = 50_000
# For pages that say much at a time: fifty thousand long entries would be hundreds of megabytes.
MAX_BYTES = 32 * 1024 * 1024


class Ring(Generic[T]):
    """Keeps the newest entries; each costs the same to add, however many there are."""

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
        """Give the entries, the oldest first, as they are now."""
        return iter(list(self._entries))

    @property
    def oldest(self) -> int:
        """The number of the oldest entry that is kept, or else of the next one to come.

        Entries are numbered as they come, from 1; a number is never given twice.
        """
        return self.total - len(self._entries) + 1

    def numbered(self) -> list[tuple[int, T]]:
        """Give the entries with their numbers, the oldest first, as they are now."""
        return list(enumerate(self._entries, self.oldest))

    def add(self, entry: T) -> None:
        """Keep an entry; the oldest make room for it."""
        self.total += 1
        self.bytes += self._weigh(entry)
        self._entries.append(entry)
        while len(self._entries) > self._max_entries or self.bytes > self._max_bytes:
            self.bytes -= self._weigh(self._entries.popleft())

    def clear(self) -> None:
        """Forget the entries; how many there ever were stays known."""
        self._entries.clear()
        self.bytes = 0
