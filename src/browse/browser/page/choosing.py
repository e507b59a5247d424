"""What page scripts tell of options and of what is chosen."""

import msgspec


class Match(msgspec.Struct):
    """What a word means among options: how many, and how the first one stands."""

    count: int
    disabled: bool
    selected: bool


class Choice(msgspec.Struct):
    """An option."""

    label: str
    value: str
    disabled: bool


class Choices(msgspec.Struct):
    """What there is to choose from, of how many, and whether several may be chosen."""

    count: int
    size: int
    several: bool
    matches: list[Match]
    shown: list[Choice]


class Chosen(msgspec.Struct):
    """What a control shows as chosen, and whether these are; None for each where nothing tells.

    `several` is whether it takes several.
    """

    connected: bool
    several: bool
    shows: str
    chosen: list[bool | None]
