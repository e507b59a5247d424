"""A block: a piece of page words, and where on the page it was."""

from enum import StrEnum

import msgspec


class Place(StrEnum):
    """Where a page can put words."""

    VISIBLE = "visible"
    HIDDEN = "hidden"  # an element that a person cannot see
    ATTRIBUTE = "attribute"  # alt, title, aria-label, data-*, placeholder
    ACCESSIBLE = "accessible"  # heard by screen readers only: an accessible name, skip links
    META = "meta"  # the head of the document, comments, CSS content


class Block(msgspec.Struct, frozen=True):
    """`why` says why a person cannot see it: `transparent`, `off-screen`, an attribute's name.

    `alarming`: no page has a good reason to hide such words in this way.
    """

    text: str
    place: Place = Place.VISIBLE
    why: str = ""
    foreign: bool = False  # in a frame of another origin
    by_users: bool = False  # where visitors write: comments, reviews, posts
    alarming: bool = False
