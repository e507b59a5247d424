"""The console and the network requests of all tabs."""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from browse.browser.logs.console import ERRORS, ConsoleMessage, iso
from browse.browser.logs.response_bodies import ResponseBodies
from browse.browser.logs.traffic_log import Exchange
from browse.commands.inspection import log_choice
from browse.commands.inspection.log_choice import (
    Filter,
    Kinds,
    Levels,
    LogChoice,
    Moment,
    Newest,
    Statuses,
)
from browse.core.errors import Usage
from browse.core.scopes import Reach, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath, write_output
from browse.registry.params import Doc, WriteFile
from browse.registry.results import Entry, PageText, Text, log_text
from browse.registry.spec import Alias, ChangedTabs, Group, Lane, command

MAX_PATTERN_CHARS = 1_000
Clear = Annotated[bool, Doc("Clear the log.")]
Here = Annotated[bool, Doc("Only of this tab.")]


def _shows(values: Mapping[str, Any]) -> Reach:
    """Return the reach: the log can be shown for own tabs only, but clearing affects all."""
    others = any(values.get(flag) for flag in ("clear", "capture", "stop", "bodies", "export"))
    return Reach.BROWSER if others or values.get("action") else Reach.OWN


def _changes(values: Mapping[str, Any]) -> ChangedTabs:
    given = any(values.get(flag) for flag in ("clear", "capture", "stop", "action"))
    return ChangedTabs.ASIDE if given else ChangedTabs.NONE


@command(
    group=Group.INSPECTION,
    scope=Scope.READ,
    lane=Lane.FREE,
    reach=_shows,
    changes=_changes,
    aliases=(Alias("errors", "--errors"), Alias("console errors", "--errors")),
)
async def console(
    ctx: Ctx,
    *,
    errors: Annotated[bool, Doc("Only errors and warnings.")] = False,
    here: Here = False,
    filter: Annotated[Filter, Doc("Only with this text, in any case.")] = None,
    type: Levels = None,
    since: Moment = None,
    last: Newest = None,
    clear: Clear = False,
) -> PageText | Text:
    """Print the console messages of pages, and uncaught errors, newest first.

    The newest 50,000 messages of all tabs are kept, at most 32 MB and 4,000 characters of each.
    What looks like a password or token is masked. Works even if a page hangs. The flags that choose
    combine; the reply then ends with the cursor of what comes later, for --since.

    Examples:
        browse console
        browse console --errors --here
        browse console --filter timeout --type log,warning --since 5m
        browse console --last 20
        browse console --clear
    """
    ring = ctx.browser.logs.consoles.ring
    narrowed = type is not None
    if clear and (narrowed or filter or since or last):
        raise Usage("console: --clear clears the whole log", hint="browse console --clear")
    if clear:
        ring.clear()
        return Text("Console buffer cleared.", {"cleared": True})
    is_shown = await _shown_tabs(ctx, here=here)

    def wants(said: ConsoleMessage) -> bool:
        fits = (not errors or said.level in ERRORS) and (type is None or said.level in type)
        return fits and is_shown(said.tab)

    choice = LogChoice(wants, lambda it: f"{it.text} {it.source}", filter, since, last, narrowed)
    kept = [
        Entry(number, said.spelled.replace("\n", "\n    "), _said(said))
        for number, said in choice.of(ring, ctx.after)
    ]
    if not kept:
        what = "errors" if errors else "messages"
        return log_choice.nothing(ring, choice, f"console {what}", "messages")
    return log_choice.shown(ring, kept, choice, "console", "messages")


def _said(said: ConsoleMessage) -> dict[str, object]:
    return {
        "at": iso(said.at),
        "level": said.level,
        "text": said.text,
        "tabId": said.tab,
        "source": said.source,
        "line": said.line,
    }


async def _shown_tabs(ctx: Ctx, *, here: bool) -> Callable[[int], bool]:
    """Return a test for the number of a tab: whether its entries are shown."""
    tab, sees = await _tab(ctx, here=here), await ctx.visible()
    return lambda number: tab in (None, number) and sees(number)


async def _tab(ctx: Ctx, *, here: bool) -> int | None:
    """Return the tab to show; None for all."""
    if ctx.call.tab_id is not None:
        return (await ctx.tabs()).find(ctx.call.tab_id).id
    return (await (await ctx.tabs()).current(ctx.call.caller)).id if here else None


def _check_pattern(raw: str) -> None:
    """Check a regular expression; it is used in a process of its own (`logs/url_filter.py`)."""
    if len(raw) > MAX_PATTERN_CHARS:
        raise Usage(
            f"--filter: the regular expression has more than {MAX_PATTERN_CHARS:,} characters",
            hint="give a shorter one",
        )
    try:
        re.compile(raw)
    except (re.error, OverflowError, RecursionError) as exc:
        raise Usage(
            f"--filter: not a regular expression: {exc}", hint="write . * + ? ( [ as \\. \\*"
        ) from exc


@command(
    group=Group.INSPECTION,
    scope=Scope.READ,
    lane=Lane.FREE,
    reach=_shows,
    changes=_changes,
    aliases=("requests", Alias("network requests"), Alias("network list")),
    instead={
        "route": "browse route '**/api/*' --abort",
        "unroute": "browse unroute",
        "har": "browse har record <file>, and then browse har stop",
    },
)
async def network(
    ctx: Ctx,
    action: Annotated[Literal["stop"] | None, Doc("With --capture: stop capturing.")] = None,
    *,
    here: Here = False,
    filter: Annotated[
        Filter,
        Doc(
            "Only with this text in method, address or failure, in any case. With --capture: a "
            "regular expression for addresses."
        ),
    ] = None,
    type: Kinds = None,
    status: Statuses = None,
    since: Moment = None,
    last: Newest = None,
    clear: Clear = False,
    capture: Annotated[bool, Doc("Capture response bodies from now on.")] = False,
    stop: Annotated[bool, Doc("The same as --capture stop.")] = False,
    bodies: Annotated[bool, Doc("List the captured responses.")] = False,
    export: Annotated[
        WriteFile | None, Doc("Write the captured responses to this file, as JSON lines.")
    ] = None,
) -> PageText | Text:
    """Print the network requests of pages, with status, time and size, newest first.

    The newest 50,000 of all tabs are kept. The size is the one that the server announced. With
    --capture the response bodies are kept as well: at most 5 MB each and 50 MB together; the oldest
    are dropped. Secrets in addresses, headers and text are masked. Works even if a page hangs. The
    flags that choose combine; the reply then ends with the cursor of what comes later, for --since.

    Examples:
        browse network
        browse network --here --json
        browse network --filter /api/ --type xhr,fetch --status 4xx,failed --last 20
        browse network --since 5m
        browse network --capture --filter '/api/'
        browse network --capture stop
        browse network --export answers.jsonl
    """
    stop = stop or action == "stop"
    asked = [clear, bodies, export is not None, capture or stop]
    narrowed = (type, status) != (None, None)
    chosen = narrowed or since is not None or last is not None
    is_filter_lost = filter and any(asked) and (stop or not capture)
    if sum(asked) > 1 or (any(asked) and chosen) or is_filter_lost:
        raise Usage(
            "network: these flags do not go together",
            hint="one of --clear, --capture [--filter regex], --capture stop, --bodies, --export; "
            "or what to list: --here, --filter, --type, --status, --since, --last",
        )
    traffic = ctx.browser.logs.traffic
    if clear:
        traffic.ring.clear()
        return Text("Network buffer cleared.", {"cleared": True})
    if stop:
        return await _stopped(traffic.bodies)
    if capture:
        if filter:
            _check_pattern(filter)
        return await _started(traffic.bodies, filter)
    if bodies:
        return await _listed(traffic.bodies)
    if export is not None:
        return await _exported(traffic.bodies, export)
    is_shown = await _shown_tabs(ctx, here=here)

    def wants(asked: Exchange) -> bool:
        fits = (type is None or asked.kind in type) and (status is None or asked.has_status(status))
        return fits and is_shown(asked.tab)

    return _requests(ctx, LogChoice(wants, _words, filter, since, last, narrowed))


def _words(asked: Exchange) -> str:
    return f"{asked.method} {asked.url} {asked.failure or ''}"


def _requests(ctx: Ctx, choice: LogChoice[Exchange]) -> PageText | Text:
    ring = ctx.browser.logs.traffic.ring
    kept = [Entry(number, it.spelled, _asked(it)) for number, it in choice.of(ring, ctx.after)]
    if not kept:
        return log_choice.nothing(ring, choice, "network requests", "requests")
    return log_choice.shown(ring, kept, choice, "network", "requests")


def _asked(exchange: Exchange) -> dict[str, object]:
    return {
        "at": iso(exchange.at),
        "method": exchange.method,
        "url": exchange.url,
        "type": exchange.kind,
        "status": exchange.status,
        "failure": exchange.failure,
        "ms": exchange.ms,
        "size": exchange.size,
        "tabId": exchange.tab,
    }


async def _started(bodies: ResponseBodies, pattern: str | None) -> Text:
    await bodies.start(pattern)
    about = f" (filter: {pattern})" if pattern else ""
    return Text(
        f"Network capture started{about}. Use --capture stop to stop.",
        {"capturing": True, "filter": pattern},
    )


async def _stopped(bodies: ResponseBodies) -> Text:
    if not bodies.active:
        why = f": it ended because {bodies.gave_up}" if bodies.gave_up else ""
        raise Usage(
            f"network: no capture is active{why}", hint="start one with `browse network --capture`"
        )
    await bodies.stop()
    return Text(
        f"Network capture stopped. {counted(len(bodies), 'response')} captured"
        f" ({bodies.bytes // 1024} KB).",
        {"capturing": False, "responses": len(bodies), "bytes": bodies.bytes},
    )


async def _listed(bodies: ResponseBodies) -> PageText | Text:
    await bodies.settle()
    if not len(bodies):
        return Text("No captured responses.", {"responses": []}, whole=True)
    above = f"{counted(len(bodies), 'response')} ({bodies.bytes // 1024} KB total):\n"
    kept = []
    for place, (number, row) in enumerate(bodies.ring.numbered(), 1):
        cut = ", truncated" if row.truncated else ""
        line = f"  [{place}] {row.status} {row.url[:100]} ({row.size // 1024} KB{cut})"
        about = {"url": row.url, "status": row.status, "size": row.size}
        kept.append(Entry(number, above + line, {**about, "bodyTruncated": row.truncated}))
        above = ""
    return log_text(kept, "network", "responses", oldest=bodies.ring.oldest)


async def _exported(bodies: ResponseBodies, path: WritePath) -> Text:
    await bodies.settle()
    rows = list(bodies)

    def write() -> int:
        return write_output(path, b"".join(row.line(iso(row.at)) + b"\n" for row in rows))

    size = await asyncio.to_thread(write)
    return Text(
        f"Exported {len(rows)} captured responses to {path.real}",
        {"path": path.real, "responses": len(rows), "bytes": size},
    )
