"""The shapes of what page scripts tell of tables."""

from typing import Literal

import msgspec


class TablePosition(msgspec.Struct, rename="camel"):
    """How far a table is scrolled down and across, how far it goes, and how much it shows."""

    top: float
    most_top: float
    high: float
    left: float
    most_left: float
    wide: float


class Table(msgspec.Struct, rename="camel"):
    """A table or a list of things that look alike; where it is only listed, rows are counted."""

    kind: Literal["table", "list"]
    name: str
    columns: list[str]
    rows: list[list[str]]
    width: int
    cut: bool
    count: int = 0
    is_part: bool = False  # only the rows that will be shown were read
    # How many rows and columns there are where not all are in the page, else 0.
    total: int = 0
    is_about: bool = False
    all_columns: int = 0
    scrolls: bool = False
    # For each row: its number if the page tells it, else 0, and its edges in what scrolls.
    places: list[tuple[int, float, float]] = []
    position: TablePosition | None = None


class Tables(msgspec.Struct):
    """The tables there are: the chosen one, or all there is to choose from."""

    total: int
    chosen: Table | None
    all: list[Table]
