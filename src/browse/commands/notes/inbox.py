"""`inbox`: what the person wrote to the agent, in the side panel or the live view."""

import asyncio
from typing import Annotated

from browse.browser.process.browser import Browser
from browse.browser.tabs.refs import TakenRefs
from browse.browser.tabs.tab import Tab
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.services import InboxService
from browse.inbox.inbox import Inbox
from browse.inbox.message import InboxMessage
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Family, Group, Lane, command

INBOX = Family(
    "inbox",
    Group.NOTES,
    "Read what the person wrote to you about a page, and say that it is done.",
    """A person points at an element or an area, in the side panel or the live view, and writes a
    sentence. You get it with a ref to the element and a picture. The files are in
    `.context/sidebar-inbox`.
    """,
    default="list",
)
RULE = "─" * 40


@command(family=INBOX, scope=Scope.ROOT, lane=Lane.FREE)
async def inbox_list(
    ctx: Ctx,
    *,
    clear: Annotated[bool, Doc("Delete the messages after they are shown.")] = False,
    inbox: InboxService,
) -> Text:
    """List the person's messages, the newest first.

    Examples:
        browse inbox
        browse inbox --clear
        browse inbox --json
    """
    messages = await asyncio.to_thread(inbox.all)
    rows = [message.facts() | _about_ref(ctx, inbox, message) for message in messages]
    cleared = await asyncio.to_thread(inbox.clear) if clear else 0
    data = {"messages": rows} | ({"cleared": cleared} if clear else {})
    if not messages:
        return Text("Inbox empty.", data)
    lines = [f"SIDEBAR INBOX ({counted(len(messages), 'message')})", RULE]
    lines += [
        _line(message, valid=row["refValid"]) for message, row in zip(messages, rows, strict=True)
    ]
    lines += [RULE, *([f"Cleared {counted(cleared, 'message')}."] if clear else [])]
    words = "\n".join(_words(message) for message in messages)
    return Text("\n".join(lines), data, page=words, source="inbox")


@command(family=INBOX, scope=Scope.ROOT, lane=Lane.FREE)
async def inbox_done(
    ctx: Ctx,
    message: Annotated[str, Doc("The six characters that `browse inbox` shows.")],
    *,
    inbox: InboxService,
) -> Text:
    """Mark a message as done; the person sees that in the side panel and the live view.

    Examples:
        browse inbox done 3fa9c1
    """
    done = await asyncio.to_thread(inbox.done, message)
    return Text(f"Done: message {done.id}. The person sees it.", {"id": done.id, "done": done.done})


def _about_ref(ctx: Ctx, inbox: Inbox, message: InboxMessage) -> dict[str, bool]:
    """Show the ref of a message to the caller, if its document is still there."""
    tab = _tab_of(ctx.browser, message.tab) if message.id in inbox.own and message.ref else None
    if tab is None or tab.refs.doc != message.doc:
        return {"refValid": False}
    taken = TakenRefs(message.doc, {message.ref: message.page})
    tab.refs.seen_by(ctx.call.caller.holder, taken, [message.ref])
    return {"refValid": True}


def _tab_of(browser: Browser, number: int) -> Tab | None:
    everywhere = filter(None, [browser.open_tabs, *browser.named().values()])
    return next((tab for tabs in everywhere for tab in tabs.all() if tab.id == number), None)


def _line(message: InboxMessage, *, valid: bool) -> str:
    """Describe a message in our own words."""
    parts = [f"[{message.id}] {message.timestamp[:40].partition(' ')[0]}"]
    parts += [f"tab {message.tab}"] if message.tab else []
    if message.ref:
        parts.append(message.ref if valid else f"{message.ref} (its page has gone)")
    parts += ["done"] if message.done else []
    parts += [f"picture: {message.picture}"] if message.picture else []
    return "  ".join(parts)


def _words(message: InboxMessage) -> str:
    """Write what the page and the person wrote, as one entry."""
    page = message.page
    element = f'\n  [{page.role}] "{page.name}"  {page.selector}' if page.role else ""
    return f'[{message.id}] {page.url}\n  "{message.user_message}"{element}'
