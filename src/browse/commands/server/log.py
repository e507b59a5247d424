"""`log`: statistics of what was refused."""

import asyncio
from typing import Annotated, Literal

from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath, write_output
from browse.registry.params import Doc, WriteFile, whole
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command
from browse.security import report_page
from browse.security.attempts import Outcome
from browse.security.report import AttemptReport, first_day, read

DAYS = 30
SHOWN = 10
BAR_CHARS = 40
Days = Annotated[int, whole(1, 3650, " days")]


@command(group=Group.SERVER, scope=Scope.ROOT, lane=Lane.FREE)
async def log(
    ctx: Ctx,
    which: Annotated[
        Literal["security"],
        Doc("security: refused addresses, files, scripts and remote requests; suspicious pages."),
    ],
    *,
    days: Annotated[Days, Doc("How many days to include; default 30.")] = DAYS,
    html: Annotated[
        WriteFile | None, Doc("Write the report to this file, as an HTML page with charts.")
    ] = None,
) -> Text:
    """Show statistics of refusals and warnings: by day, kind, reason, hashed source and host.

    The log covers all projects of this user: `~/.gstack/security/attempts.jsonl`.

    Examples:
        browse log security
        browse log security --days 7 --json
        browse log security --html report.html
    """
    path = Paths.of(ctx.settings).attempts_log
    report = await asyncio.to_thread(read, path, since=first_day(days))
    about = _about(report, days)
    facts = {"days": days, **report.facts()}
    if html is not None:
        size = await asyncio.to_thread(_write, html, report, about)
        return Text(f"{about}\nSaved: {html.real}", {**facts, "path": html.real, "bytes": size})
    return Text("\n".join([about, *_tables(report)]), facts)


def _write(path: WritePath, report: AttemptReport, about: str) -> int:
    title = "What browse refused"
    return write_output(path, report_page.page(report, title=title, about=about).encode())


def _about(report: AttemptReport, days: int) -> str:
    span = "today" if days == 1 else f"in the last {days:,} days"
    counts = {it: report.outcomes[it] for it in Outcome}
    refused = counts[Outcome.REFUSED]
    words = f"Refused {span}: {refused:,}." if refused else f"Nothing was refused {span}."
    if warned := counts[Outcome.WARNED]:
        words += f" Passed on with a warning: {warned:,}."
    if noted := counts[Outcome.NOTED]:
        words += f" Only noted: {noted:,}."
    if report.dropped:
        words += f" Not written, because there were too many at once: {report.dropped:,}."
    if report.unreadable:
        words += f" Lines that are no entries: {report.unreadable:,}."
    return words


def _tables(report: AttemptReport) -> list[str]:
    parts = {
        "day": [(day, report.days[day]) for day in sorted(report.days)],
        "kind": report.kinds.most_common(SHOWN),
        "reason": report.reasons.most_common(SHOWN),
        "source": report.sources.most_common(SHOWN),
        "host": report.hosts.most_common(SHOWN),
    }
    return [
        line for name, rows in parts.items() if rows for line in ("", f"By {name}", *_bars(rows))
    ]


def _bars(rows: list[tuple[str, int]]) -> list[str]:
    wide, top = max(len(name) for name, _ in rows), max(count for _, count in rows)
    digits = len(f"{top:,}")
    return [
        f"  {name:<{wide}}  {count:>{digits},}  {'#' * max(1, BAR_CHARS * count // top)}"
        for name, count in rows
    ]
