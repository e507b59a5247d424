"""What the script answers that describes the elements which a selector finds."""

import msgspec

from browse.browser.page.shapes import Address, Aim, Next, PreparedField


class Described(msgspec.Struct):
    """What an element is; its words only where it has no name and others were found with it.

    Of several, each has the number of its ref, which of all it is, and what tells it apart.
    """

    tag: str
    role: str
    name: str
    words: str = ""
    number: int = 0
    nth: int = 0
    marks: str = ""
    context: str = ""


class Matches(msgspec.Struct):
    """What a selector finds: how many elements, and what the first ones are.

    `others`: how many match as well where one was preferred. `next`: of the refs that were given.
    """

    count: int
    elements: list[Described]
    others: int = 0
    next: Next | None = None
    address: Address | None = None
    aim: Aim | None = None
    field: PreparedField | None = None
