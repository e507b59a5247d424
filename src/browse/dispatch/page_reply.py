"""What reading commands answer with: the words that a person sees, and beside them the others."""

from collections.abc import Sequence
from typing import Any

from browse.browser.page.shapes import HiddenWords
from browse.browser.reading.hidden_text import blocks
from browse.dispatch.context import Ctx
from browse.registry.results import PageText, from_page
from browse.security import invisible
from browse.security.blocks import Block


def seen(ctx: Ctx, words: str, found: Sequence[HiddenWords | Block], **fields: Any) -> PageText:
    """Answer with what can be seen; characters that show nothing are taken out."""
    hidden = [*_told(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **invisible.cleaned(fields))
    return PageText(invisible.visible(words), ctx.tab.url, data, hidden=hidden)


def entire(ctx: Ctx, words: str, found: Sequence[HiddenWords | Block], **fields: Any) -> PageText:
    """Answer with everything as it stands there, what nobody can see as well."""
    hidden = [*_told(found), *invisible.blocks(words)]
    data = from_page(url=ctx.tab.url, **fields)
    return PageText(words, ctx.tab.url, data, hidden=hidden, keeps_hidden=True)


def spelled(hidden: Sequence[Block]) -> str:
    """Spell what nobody can see, one block a line."""
    return "\n".join(f"hidden ({it.why}) [{it.place}]: {it.text}" for it in hidden)


def _told(found: Sequence[HiddenWords | Block]) -> list[Block]:
    return [it if isinstance(it, Block) else blocks([it])[0] for it in found]
