"""`goto`, `back`, `forward`, `reload`, `url` and `load-html`."""

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from browse.browser.actions.expectations import Expectation, Expectations
from browse.browser.files.html_file import from_payload, from_stdin, read_html
from browse.browser.tabs.tab import WaitUntil
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.arrival import arrived, told_status
from browse.dispatch.context import Ctx
from browse.dispatch.services import ArrivalService
from browse.guard.hosts import host_of
from browse.notes.host import page_host
from browse.registry.params import (
    AllowedDomains,
    Condition,
    Doc,
    Duration,
    InputFile,
    ReadFile,
    Url,
)
from browse.registry.results import PageText, Text, from_page, inline_url
from browse.registry.spec import DEFAULT_DEADLINE_S, Alias, Group, command

WAIT_MS = 15_000


def _goto_s(values: Mapping[str, Any]) -> float:
    return DEFAULT_DEADLINE_S + (float(values["within"]) / 1000 if values["wait"] else 0.0)


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    mutates=False,
    navigates=True,
    loads=1,
    aliases=("open", "navigate", "visit"),
    instead={"--expect": "use --wait, which takes the same conditions"},
    deadline=_goto_s,
)
async def goto(
    ctx: Ctx,
    url: Url,
    *,
    allowed_domains: AllowedDomains = None,
    wait: Annotated[
        tuple[Condition, ...],
        Doc("Then wait for this: a selector, text=…, url=… or gone=<selector>."),
    ] = (),
    within: Annotated[Duration, Doc("How long to wait for --wait; default 15s.")] = WAIT_MS,
    arrival: ArrivalService,
) -> Text:
    """Open a page in the current tab.

    Accepts http, https and file URLs and about:blank. Waits until the document is parsed, 30 s at
    most (`BROWSE_NAVIGATION_TIMEOUT`). A file URL may be relative (`file://./page.html`) and must
    be in the project or the temporary folder. The reply has the HTTP status and, after a redirect,
    the final address and the page's title. If there are notes on the site (`domain-skill`) or
    skills for it, they are shown when the tab comes from another site.

    Examples:
        browse goto https://example.com
        browse goto file://./report.html
        browse goto https://example.com/app --wait '#list' --wait 'gone=.spinner'
        browse goto https://example.com --allowed-domains 'example.com,*.example.org'
    """
    _refuse_in_frame(ctx, "goto")
    await ctx.limit(ctx.tab, allowed_domains)
    began, before = time.time(), page_host(ctx.tab.url)
    status = await ctx.tab.open(url)
    conditions = [Expectation(ctx.tab, it) for it in wait]
    await Expectations(ctx.tab, conditions).wait(within, done="The page was opened")
    shown = inline_url(str(url), 2000)
    warnings = ctx.warnings(url.host, host_of(ctx.tab.url)) + ctx.blocked(ctx.tab, began)
    warnings += _renewed(ctx)
    notes = await arrival.shown(ctx.call.caller, before, page_host(ctx.tab.url))
    return await arrived(
        ctx.tab,
        f"Navigated to {shown} ({status or 'unknown'})",
        str(url),
        notes,
        warnings=warnings,
        facts={"url": str(url), "status": status},
    )


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    mutates=False,
    navigates=True,
    loads=1,
    aliases=("go-back",),
)
async def back(ctx: Ctx) -> Text:
    """Go back in the tab's history.

    Examples:
        browse back
    """
    _refuse_in_frame(ctx, "back")
    return _moved(ctx, "Back →", await ctx.tab.travel(-1))


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    mutates=False,
    navigates=True,
    loads=1,
    aliases=("go-forward",),
)
async def forward(ctx: Ctx) -> Text:
    """Go forward in the tab's history.

    Examples:
        browse forward
    """
    _refuse_in_frame(ctx, "forward")
    return _moved(ctx, "Forward →", await ctx.tab.travel(1))


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    loads=1,
    aliases=("refresh",),
)
async def reload(ctx: Ctx) -> Text:
    """Reload the page; a crashed tab becomes usable again.

    Examples:
        browse reload
    """
    _refuse_in_frame(ctx, "reload")
    began = time.time()
    status = await ctx.tab.reload()
    return _moved(ctx, "Reloaded", status, ctx.blocked(ctx.tab, began) + _renewed(ctx))


@command(group=Group.NAVIGATION, scope=Scope.READ, surfaces=ANYWHERE, aliases=(Alias("get url"),))
async def url(ctx: Ctx) -> PageText:
    """Print the address of the current tab.

    Examples:
        browse url
        browse url --json
    """
    return PageText(ctx.tab.url, ctx.tab.url, from_page(url=ctx.tab.url))


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    name="load-html",
    aliases=("setcontent", "set-content", "setContent"),
    reads_stdin=True,
    loads=1,
)
async def load_html(
    ctx: Ctx,
    file: InputFile = None,
    *,
    from_file: Annotated[
        ReadFile | None, Doc('Read a JSON payload: {"html": "…", "waitUntil": "load"}.')
    ] = None,
    wait_until: Annotated[
        WaitUntil, Doc("The event after which the page counts as loaded.")
    ] = "domcontentloaded",
) -> Text:
    """Show HTML from a file or from stdin, without a server.

    The page's address is about:blank; it exists in memory only. Files end in .html,
    .htm, .xhtml or .svg.

    Examples:
        browse load-html ./page.html
        browse load-html --from-file payload.json
        browse load-html --wait-until load ./page.html
    """
    _refuse_in_frame(ctx, "load-html")
    limit = ctx.settings.max_html_bytes
    if from_file:
        html, until = from_payload(from_file, limit=limit, otherwise=wait_until)
        label, size = "(inline from --from-file", f"{len(html)} chars)"
    elif file:
        html, until = read_html(file, limit=limit), wait_until
        label, size = f"{file.real} (", f"{len(html.encode())} bytes)"
    elif ctx.call.stdin:
        html, until = from_stdin(ctx.call.stdin, limit=limit), wait_until
        label, size = "(from stdin", f"{len(html)} chars)"
    else:
        raise Usage(
            "load-html: no file was given and stdin is empty",
            hint="browse load-html ./page.html",
        )
    await ctx.tab.load_html(html, until=until)
    warnings = _renewed(ctx)
    line = f"Loaded HTML: {label}{'' if label.endswith('(') else ', '}{size}"
    return Text("\n".join([line, *warnings]), {"chars": len(html), **_warned(warnings)})


def _warned(warnings: Sequence[str]) -> dict[str, list[str]]:
    return {"warnings": list(warnings)} if warnings else {}


def _renewed(ctx: Ctx) -> list[str]:
    """Return a warning if a hanging page made it necessary to replace the tab's page."""
    if not ctx.tab.is_renewed:
        return []
    return ["[warning] the previous page hung: the tab's history and session storage are lost"]


def _refuse_in_frame(ctx: Ctx, command: str) -> None:
    if ctx.tab.in_frame:
        raise BrowseError(
            Code.IN_FRAME,
            f"Cannot use {command} inside a frame: it moves the whole tab. Nothing was done.",
            hint="Run 'browse frame main' first.",
        )


def _moved(ctx: Ctx, how: str, status: int | None, warnings: Sequence[str] = ()) -> Text:
    line = f"{how} {inline_url(ctx.tab.url, 2000)}{told_status(status)}"
    facts = {"status": status, **_warned(warnings), **from_page(url=ctx.tab.url)}
    return Text("\n".join([line, *warnings]), facts)
