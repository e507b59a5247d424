"""What page scripts tell of trees."""

from typing import Literal

import msgspec

from browse.browser.page.shapes import Candidate, Next


class Branch(msgspec.Struct):
    """How far a path leads in a tree, how the item stands to which it leads, and what is below it.

    `many` is how many items fit the part that was looked for last.
    """

    trees: int
    found: int
    many: int
    state: Literal["", "open", "closed", "leaf"]
    busy: bool
    count: int
    names: list[str]
    item: Candidate | None
    next: Next
