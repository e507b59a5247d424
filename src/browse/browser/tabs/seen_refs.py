"""What one caller has seen of the refs in a tab."""

from collections.abc import Mapping
from itertools import islice
from typing import Protocol

import msgspec

# How many refs of earlier documents are remembered, to say what they were.
MAX_EARLIER = 5_000


class Called(Protocol):
    """What an element was called when it was shown."""

    @property
    def role(self) -> str: ...

    @property
    def name(self) -> str: ...


class SeenRefs(msgspec.Struct):
    """The refs that a caller has seen: of one document, and some of earlier ones."""

    _doc: int = 0
    _refs: dict[str, Called] = msgspec.field(default_factory=dict)
    _earlier: dict[str, Called] = msgspec.field(default_factory=dict)

    def add(self, doc: int, shown: Mapping[str, Called]) -> None:
        """Add refs of a document; those of a document that the tab has left are earlier ones."""
        if doc < self._doc:
            self._remember(shown)
            return
        if doc > self._doc:
            self._remember(self._refs)
            self._doc, self._refs = doc, {}
        self._refs.update(shown)

    def _remember(self, refs: Mapping[str, Called]) -> None:
        for ref, called in islice(refs.items(), MAX_EARLIER):
            self._earlier.pop(ref, None)
            self._earlier[ref] = called
        for ref in list(islice(self._earlier, max(0, len(self._earlier) - MAX_EARLIER))):
            del self._earlier[ref]

    def of(self, doc: int) -> Mapping[str, Called]:
        """Return the refs that were shown in a document."""
        return self._refs if doc == self._doc else {}

    def last(self, ref: str) -> Called | None:
        """Return what a ref was when it was last seen; None if it is forgotten."""
        return self._refs.get(ref) or self._earlier.get(ref)
