"""What page scripts answer about elements that are acted on."""

from typing import Literal

import msgspec


class Facts(msgspec.Struct):
    """What an element is and how it stands, as far as acting on it depends on that."""

    tag: str
    type: str
    role: str
    checked: bool | Literal["mixed"] | None
    active: bool
    disabled: bool
    connected: bool
    labelled: bool
    multiple: bool
    folder: bool
    accept: str


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
    """What there is to choose from, and whether several may be chosen."""

    count: int
    several: bool
    matches: list[Match]
    shown: list[Choice]


class Cover(msgspec.Struct):
    """What lies over an element."""

    number: int
    role: str
    name: str


class Covering(msgspec.Struct):
    """What was found at the point where an element would be pressed."""

    point: tuple[float, float]
    cover: Cover | None
    next: int


class Scrolled(msgspec.Struct):
    """Where scrolling led: how far from the beginning, and how large what scrolls is."""

    scrolls: bool
    moved: bool
    x: int
    y: int
    size: int
