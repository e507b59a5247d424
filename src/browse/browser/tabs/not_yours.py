"""Tabs that a command may not use: they are somebody else's, or show the browser itself."""

from browse.auth.caller import Caller
from browse.browser.tabs.leases import Leases
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope

# Pages of the browser itself: settings, saved passwords, extensions. A person may open them.
INTERNAL = ("chrome:", "chrome-extension:", "chrome-untrusted:", "devtools:", "view-source:")


def refuse_internal(url: str) -> None:
    """Raise if a tab shows a page of the browser itself, which no command reads or acts in."""
    if url.startswith(INTERNAL):
        raise BrowseError(
            Code.URL_REFUSED,
            "This tab shows a page of the browser itself, which is the person's own.",
            hint="`browse goto <url>` opens another page in it; `browse tabs` lists the others",
        )


def refuse_if_held(leases: Leases, id: int, caller: Caller) -> None:
    """Raise if another of the owner's agents uses a tab."""
    if other := leases.other(id, caller.holder):
        may_take = (caller.is_owner or Scope.META in caller.scopes) and not caller.only_reads
        raise BrowseError(
            Code.TAB_HELD,
            f"Tab {id} is held by {other}, which used it less than 10 minutes ago.",
            hint="use a tab of your own (`browse newtab`)"
            + (f", or type `browse tab {id} --take`" if may_take else ""),
        )


def not_yours(*, known: bool = True) -> BrowseError:
    """Build the error for a tab of another client, without details about the tab."""
    return BrowseError(
        Code.TAB_NOT_YOURS,
        "Tab not owned by your agent." if known else "Your agent has no tab.",
        hint="use newtab to create your own tab; `tabs` lists which are yours",
    )
