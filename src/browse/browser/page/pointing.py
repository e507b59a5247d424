"""What a page script tells of the element at a point."""

import msgspec

from browse.browser.page.shapes import Next


class AtPoint(msgspec.Struct, rename="camel"):
    """The element at a point of a window, and where it is there: x, y, width, height."""

    number: int
    tag: str
    role: str
    name: str
    selector: str
    is_frame: bool
    box: tuple[float, float, float, float]


class Pointing(msgspec.Struct):
    """What was found at a point."""

    found: AtPoint | None
    next: Next
