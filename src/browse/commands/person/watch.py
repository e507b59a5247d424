"""`watch`: look on while a person works."""

from browse.browser.reading.snapshot import SnapshotOptions, take_snapshot
from browse.browser.tabs.tab import Tab
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import HoldsService
from browse.registry.results import Text, from_page
from browse.registry.spec import Family, Group, Lane, command
from browse.security.characters import invisible
from browse.view.observation import Changes
from browse.view.watching import LONGEST_S, WatchedSession

WATCH = Family(
    "watch",
    Group.PERSON,
    "Look on while a person works, and get a summary of what they did.",
    """While it is on, commands that change something are refused in this session. The person
    works in the window (`connect`) or in the live view (`view`).
    """,
    default="start",
)


@command(family=WATCH, scope=Scope.ROOT)
async def watch_start(ctx: Ctx, *, holds: HoldsService) -> Text:
    """Start to look on, for an hour at most.

    Examples:
        browse watch
    """
    begun = holds.start_watch(await ctx.tabs(), ctx.tab)
    if not begun:
        return Text("Already watching. `browse watch stop` ends it.", {"already": True})
    lines = [
        f"WATCHING: the tabs of this session, for {LONGEST_S / 60:.0f} minutes at most.",
        "Commands that change something are refused. `browse watch stop` ends it, with a summary.",
    ]
    return Text("\n".join(lines), {"already": False, "seconds": LONGEST_S})


@command(family=WATCH, scope=Scope.ROOT, lane=Lane.TAB)
async def watch_stop(ctx: Ctx, *, holds: HoldsService) -> Text:
    """Stop to look on: print what the person did, and a snapshot.

    Lists addresses, the names of fields that were used (never what was typed), and the elements
    that came and went in the current tab.

    Examples:
        browse watch stop
    """
    watch = holds.stop_watch()
    if watch is None:
        return Text("Not watching. `browse watch` starts it.", {"watched": False})
    tab = ctx.tab
    now = await take_snapshot(tab, SnapshotOptions(interactive=True))
    changes = _changes(watch, tab)
    if tab.id in watch.seen:
        changes[tab.id] = watch.seen[tab.id].compared(now)
    shown = [invisible.visible(line) for line in now.lines()] or ["(no interactive elements)"]
    lines = [f"tab {id}: {line}" for id, it in changes.items() for line in it.lines()]
    lines = list(map(invisible.visible, lines)) or ["(the person did nothing that was noticed)"]
    seconds = round((watch.ended or watch.since) - watch.since)
    facts = {
        "watched": True,
        "seconds": seconds,
        **from_page(
            url=tab.url,
            tabs=[{"tabId": id, **invisible.cleaned(it.facts())} for id, it in changes.items()],
            snapshot=shown,
        ),
    }
    page = "\n".join([*lines, "", "Last snapshot:", *shown])
    return Text(f"WATCH STOPPED ({seconds}s)", facts, page=page, source=tab.url)


def _changes(watch: WatchedSession, current: Tab) -> dict[int, Changes]:
    noted = {id: seen.noted() for id, seen in watch.seen.items()}
    return {id: it for id, it in noted.items() if id == current.id or it.lines()}
