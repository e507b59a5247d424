"""Convert the hidden text that page scripts found to blocks."""

from collections.abc import Iterable

from browse.browser.page.shapes import HiddenWords
from browse.security.blocks import Block


def to_blocks(found: Iterable[HiddenWords], *, foreign: bool = False) -> list[Block]:
    """Convert findings to blocks; `foreign` if they are in a frame of another origin."""
    return [
        Block(it.text, it.place, it.why, foreign=foreign, by_users=it.users, alarming=it.alarm)
        for it in found
    ]
