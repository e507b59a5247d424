"""Build the replies of reading commands: page text, and the hidden text beside it."""

from collections.abc import Sequence
from typing import Any

from browse.browser.page.shapes import HiddenWords
from browse.browser.reading.hidden_text import to_blocks
from browse.dispatch.context import Ctx
from browse.registry.results import PageText, from_page
from browse.security.blocks import Block
from browse.security.characters import invisible


def visible_reply(
    ctx: Ctx, words: str, found: Sequence[HiddenWords | Block], **fields: Any
) -> PageText:
    """Reply with visible text; invisible characters are removed."""
    hidden = [*_to_blocks(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **invisible.cleaned(fields))
    return PageText(invisible.visible(words), ctx.tab.url, data, hidden=hidden)


def complete_reply(
    ctx: Ctx, words: str, found: Sequence[HiddenWords | Block], **fields: Any
) -> PageText:
    """Reply with unchanged text, hidden text included."""
    hidden = [*_to_blocks(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **fields)
    return PageText(words, ctx.tab.url, data, hidden=hidden, keeps_hidden=True)


def hidden_lines(hidden: Sequence[Block]) -> str:
    """Format hidden text, one block per line."""
    return "\n".join(f"hidden ({it.why}) [{it.place}]: {it.text}" for it in hidden)


def _to_blocks(found: Sequence[HiddenWords | Block]) -> list[Block]:
    return [it if isinstance(it, Block) else to_blocks([it])[0] for it in found]
