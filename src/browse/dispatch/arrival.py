"""The reply of a command that opened an address: where the tab is now, and what is known of it."""

from collections.abc import Sequence
from typing import Any

from browse.browser.tabs.navigation import same
from browse.browser.tabs.tab import Tab
from browse.dispatch.site_notes import SiteNotes
from browse.registry.results import Text, from_page, inline_url

MAX_URL_CHARS = 2000
FIRST_ERROR_STATUS = 400


async def arrived(
    tab: Tab,
    receipt: str,
    asked: str,
    notes: SiteNotes,
    *,
    warnings: Sequence[str] = (),
    facts: dict[str, Any],
) -> Text:
    """Build the reply; it has the address and the title where they are not what was asked for."""
    moved = bool(asked) and not same(asked, tab.url)
    title = " ".join(tab.last_title.split()) if moved and await tab.refresh_title() else ""
    where = f" → now at {inline_url(tab.url, MAX_URL_CHARS)}" if moved else ""
    words = [f"title: {title}" if title else "", notes.page]
    about = {"url": tab.url, **({"title": title} if moved else {}), **notes.page_facts}
    warned = {"warnings": list(warnings)} if warnings else {}
    return Text(
        "\n".join([f"{receipt}{where}", *warnings, *notes.lines]),
        {**facts, **warned, **notes.facts, **from_page(**about)},
        page="\n".join(filter(None, words)),
        source=notes.source if notes.page else (tab.url if title else ""),
        judged=not title,  # the notes were judged when they were looked up
    )


def told_status(status: int | None) -> str:
    """Return the status of a page that a command went back to: only an error is worth words."""
    return f" ({status})" if status and status >= FIRST_ERROR_STATUS else ""
