"""Shapes of what was typed into a document and of where it is scrolled to: kept in memory only."""

import msgspec


class TypedField(msgspec.Struct):
    """A field that differs from what the page came with; it is found again by its way."""

    way: list[str]
    kind: str
    name: str
    values: list[str]


class ScrolledPart(msgspec.Struct):
    """The document or a part of it that is scrolled."""

    way: list[str]
    left: float
    top: float


class TypedState(msgspec.Struct):
    """What a document has beyond what it loads: typed, scrolled, and how many files were chosen."""

    fields: list[TypedField] = []
    scrolled: list[ScrolledPart] = []
    files: int = 0


class StillMissing(msgspec.Struct):
    """The numbers of what could not be put back yet."""

    fields: list[int]
    scrolled: list[int]
