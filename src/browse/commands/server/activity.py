"""`activity`: the commands that ran in this browser."""

from typing import Annotated, Any

from browse.core.controls import one_line
from browse.core.scopes import Scope
from browse.dispatch.activity import KEPT
from browse.dispatch.context import Ctx
from browse.dispatch.services import ActivityService
from browse.registry.params import Doc
from browse.registry.results import Entries, Result, Text
from browse.registry.spec import Group, Lane, command

COMMON = ("id", "timestamp", "type", "clientId")


@command(group=Group.SERVER, scope=Scope.ROOT, lane=Lane.FREE, deadline=None)
async def activity(
    ctx: Ctx,
    *,
    follow: Annotated[bool, Doc("Keep printing new events until Ctrl-C.")] = False,
    last: Annotated[int, Doc("How many of the newest events to show first.")] = 20,
    feed: ActivityService,
) -> Text:
    """Show the commands that ran in this browser: caller, command, duration, outcome.

    Messages that paired agents send to you (`POST /sidebar-chat`) appear here too.

    Examples:
        browse activity
        browse activity --follow
        browse activity --last 100 --json
    """
    known = [event for event in feed.latest(KEPT) if _matters(event)]
    events = known[-last:] if last > 0 else []
    if ctx.json and not follow:
        numbers = [event["id"] for event in events]
        return Text("", {"events": events}, entries=Entries(numbers, numbers[0] if numbers else 0))
    for event in events:
        await ctx.emit(_shown(event, as_json=ctx.json))
    if follow:
        async for event in feed.follow(known[-1]["id"] if known else 0):
            if _matters(event):
                await ctx.emit(_shown(event, as_json=ctx.json))
    return Text("" if events else "(nothing yet)")


def _matters(event: dict[str, Any]) -> bool:
    """Check whether to show an event; `activity` itself is left out."""
    return event.get("command") != "activity"


def _shown(event: dict[str, Any], *, as_json: bool) -> Result:
    if as_json:
        return Text("", event)
    if event["type"] == "gap":
        return Text(f"({event['availableFrom'] - event['gapFrom']} events were missed)")
    clock = event["timestamp"][11:19]
    if event["type"] == "message":
        return Text(
            f"{clock} {event['clientId']} says:", page=event["page"]["message"], source="agent"
        )
    if event["type"] not in ("command_start", "command_end", "error"):
        more = [f"{key}: {event[key]}" for key in event if key not in COMMON and event[key]]
        return Text(f"{clock} {event['clientId']}  {event['type']}  {one_line(', '.join(more))}")
    words = " ".join(filter(None, [event["command"], ascii(event["args"])[1:-1]]))
    line = f"{clock} {event['clientId']}  {words}"
    if event["type"] == "command_start":
        return Text(f"{line} …")
    outcome = f"{event['status']}, {event['duration']} ms"
    return Text(f"{line} → {outcome}" + (f": {event['error']}" if event["error"] else ""))
