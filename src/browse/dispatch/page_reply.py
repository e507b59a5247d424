"""What reading commands answer with: the words that a person sees, and beside them the others."""

from collections.abc import Sequence
from typing import Any

from browse.browser.page.shapes import Concealed
from browse.browser.reading.hidden_text import to_blocks
from browse.dispatch.context import Ctx
from browse.registry.results import PageText, from_page
from browse.security.blocks import Block
from browse.security.characters import invisible


def visible_reply(
    ctx: Ctx, words: str, found: Sequence[Concealed | Block], **fields: Any
) -> PageText:
    """Answer with what can be seen; characters that show nothing are taken out."""
    hidden = [*_to_blocks(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **invisible.cleaned(fields))
    return PageText(invisible.visible(words), ctx.tab.url, data, hidden=hidden)


def complete_reply(
    ctx: Ctx, words: str, found: Sequence[Concealed | Block], **fields: Any
) -> PageText:
    """Answer with everything as it stands there, what nobody can see as well."""
    hidden = [*_to_blocks(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **fields)
    return PageText(words, ctx.tab.url, data, hidden=hidden, keeps_hidden=True)


def hidden_lines(hidden: Sequence[Block]) -> str:
    """Spell what nobody can see, one block a line."""
    return "\n".join(f"hidden ({it.why}) [{it.place}]: {it.text}" for it in hidden)


def _to_blocks(found: Sequence[Concealed | Block]) -> list[Block]:
    return [it if isinstance(it, Block) else to_blocks([it])[0] for it in found]
