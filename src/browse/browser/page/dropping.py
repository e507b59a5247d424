"""What page scripts tell of a place to drop something, and of what became of it."""

from typing import Literal

import msgspec

from browse.browser.page.shapes import Point


class DropPlace(msgspec.Struct):
    """Where to drop on an element, from its corner, and whether its list goes across.

    `follows` tells whether the element comes after what is dragged; no point: nothing of it can be
    reached.
    """

    point: Point | None
    across: bool
    follows: bool


class DropOrder(msgspec.Struct):
    """Whether what was dragged stands next to the element, and which of how many it is."""

    order: Literal["before", "after", "elsewhere", "gone"]
    number: int
    count: int
