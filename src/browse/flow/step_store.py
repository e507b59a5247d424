"""Steps in memory, by tab and client, within limits: the oldest are dropped."""

import msgspec

from browse.flow.steps import Mark, Step

MAX_TAB_STEPS = 500
MAX_STEPS = 5_000
MAX_BYTES = 8 * 1024 * 1024
# The client ("" for the owner), and the number of the tab.
Key = tuple[str, int]


class _Tab(msgspec.Struct):
    steps: list[Step] = msgspec.field(default_factory=list)
    sizes: list[int] = msgspec.field(default_factory=list)
    count: int = 0


class StepStore:
    """Keeps steps. The size of a step is that of its line in the file."""

    def __init__(self) -> None:
        self._tabs: dict[Key, _Tab] = {}  # the one used last comes last
        self._steps = 0
        self._bytes = 0

    def steps(self, key: Key) -> list[Step]:
        """List the steps, oldest first."""
        kept = self._tabs.get(key)
        return list(kept.steps) if kept else []

    def number(self, key: Key) -> int:
        """Return the number of the next step."""
        kept = self._tabs.get(key)
        return kept.count + 1 if kept else 1

    def last(self, key: Key) -> Mark:
        """Return how the page looked after the latest step."""
        kept = self._tabs.get(key)
        return kept.steps[-1].after if kept and kept.steps else Mark()

    def add(self, key: Key, step: Step) -> None:
        """Keep a step with the next number."""
        kept = self._tabs[key] = self._tabs.pop(key, _Tab())
        kept.count = step.number
        kept.steps.append(step)
        kept.sizes.append(_size(step))
        self._steps += 1
        self._bytes += kept.sizes[-1]
        if len(kept.steps) > MAX_TAB_STEPS:
            self._drop_oldest(kept)
        self._make_room()

    def complete(self, key: Key, step: Step) -> None:
        """Replace a step with its complete version; it may have been dropped already."""
        kept = self._tabs.get(key)
        at = step.number - kept.steps[0].number if kept and kept.steps else -1
        if kept and 0 <= at < len(kept.steps):
            kept.steps[at] = step
            self._bytes += _size(step) - kept.sizes[at]
            kept.sizes[at] = _size(step)
            self._make_room()

    def _make_room(self) -> None:
        while self._steps and (self._steps > MAX_STEPS or self._bytes > MAX_BYTES):
            self._drop_oldest(next(kept for kept in self._tabs.values() if kept.steps))

    def _drop_oldest(self, kept: _Tab) -> None:
        del kept.steps[0]
        self._steps -= 1
        self._bytes -= kept.sizes.pop(0)


def _size(step: Step) -> int:
    return len(msgspec.json.encode(step))
