"""What page scripts found that a person cannot see, as blocks."""

from collections.abc import Iterable

from browse.browser.page.shapes import HiddenWords
from browse.security.blocks import Block


def blocks(found: Iterable[HiddenWords], *, foreign: bool = False) -> list[Block]:
    """Tell them as blocks; `foreign` when they stand in a frame of another origin."""
    return [
        Block(it.text, it.place, it.why, foreign=foreign, by_users=it.users, alarming=it.alarm)
        for it in found
    ]
