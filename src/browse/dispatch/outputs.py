"""The files that each caller's commands wrote, so that it may fetch only those."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable

MAX_FILES = 1_000


class Outputs:
    """Keeps the paths of the newest files of every caller."""

    def __init__(self) -> None:
        self._files: dict[str, OrderedDict[str, None]] = defaultdict(OrderedDict)

    def add(self, client: str, paths: Iterable[str]) -> None:
        """Add files; drop the oldest beyond a thousand."""
        mine = self._files[client]
        for path in paths:
            mine[path] = None
            mine.move_to_end(path)
            if len(mine) > MAX_FILES:
                mine.popitem(last=False)

    def has(self, client: str, path: str) -> bool:
        return path in self._files.get(client, ())

    def forget(self, client: str) -> None:
        self._files.pop(client, None)
