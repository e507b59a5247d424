"""What page scripts tell of a calendar."""

from typing import Literal

import msgspec


class CalendarView(msgspec.Struct):
    """The months that a calendar shows, as year and month, and whether a day is in them."""

    months: list[tuple[int, int]]
    own: bool
    day: Literal["there", "disabled", "none"]
