"""Dialogs of pages: list them, and choose how the next ones are answered."""

from typing import Annotated, Any

from browse.browser.tabs.dialogs import DialogPolicy, DialogRecord, quoted
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Secret
from browse.registry.results import Entry, PageText, Text, from_page, log_text
from browse.registry.spec import Alias, ChangedTabs, Group, Lane, command

Once = Annotated[bool, Doc("Only for the next dialog.")]


@command(
    group=Group.INTERACTION,
    scope=Scope.READ,
    lane=Lane.FREE,
    changes=lambda it: ChangedTabs.ASIDE if it["clear"] else ChangedTabs.NONE,
    aliases=(Alias("dialog status"),),
)
async def dialog(
    ctx: Ctx, *, clear: Annotated[bool, Doc("Clear the list.")] = False
) -> PageText | Text:
    """List the dialogs that pages opened in all tabs, and how each was answered.

    Works even while a page is busy.

    Examples:
        browse dialog
        browse dialog --clear
    """
    seen = (await ctx.tabs()).dialogs.seen
    if clear:
        count = len(seen)
        seen.clear()
        return Text("Dialog buffer cleared.", {"cleared": count})
    kept = [Entry(number, _line(asked), _row(asked)) for number, asked in seen.numbered()]
    if not kept:
        return PageText("(no dialogs captured)", "dialogs", from_page(dialogs=[]))
    return log_text(kept, "dialogs", "dialogs", oldest=seen.oldest)


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    lane=Lane.FREE,
    name="dialog-accept",
    aliases=(Alias("dialog accept"),),
)
async def dialog_accept(ctx: Ctx, *text: Secret, once: Once = False) -> Text:
    """Accept the dialogs that pages open from now on, in all tabs. This is the default.

    The text answers prompts. Without one, a prompt gets the page's default text.

    Examples:
        browse dialog-accept
        browse dialog-accept 'Ada Lovelace' --once
    """
    return await _set(
        ctx, DialogPolicy(accept=True, text=" ".join(text) if text else None), once=once
    )


@command(
    group=Group.INTERACTION,
    scope=Scope.WRITE,
    lane=Lane.FREE,
    name="dialog-dismiss",
    aliases=(Alias("dialog dismiss"),),
)
async def dialog_dismiss(ctx: Ctx, *, once: Once = False) -> Text:
    """Dismiss the dialogs that pages open from now on, in all tabs.

    A dialog that asks whether to leave the page is always accepted.

    Examples:
        browse dialog-dismiss
        browse dialog-dismiss --once
    """
    return await _set(ctx, DialogPolicy(accept=False), once=once)


async def _set(ctx: Ctx, policy: DialogPolicy, *, once: bool) -> Text:
    dialogs = (await ctx.tabs()).dialogs
    if once:
        dialogs.next = policy
    else:
        dialogs.policy, dialogs.next = policy, None
    answer = "accepted" if policy.accept else "dismissed"
    given = f' with text: "{policy.text}"' if policy.text is not None else ""
    subject = "The next dialog" if once else "Dialogs"
    return Text(
        f"{subject} will be {answer}{given}", {"answer": answer, "text": policy.text, "once": once}
    )


def _line(asked: DialogRecord) -> str:
    return asked.spelled + (f" {quoted(asked.response)}" if asked.response is not None else "")


def _row(asked: DialogRecord) -> dict[str, Any]:
    return {
        "at": f"{asked.at:%Y-%m-%dT%H:%M:%SZ}",
        "type": asked.kind,
        "message": asked.message,
        "answer": asked.answer,
        "response": asked.response,
        "url": asked.url,
    }
