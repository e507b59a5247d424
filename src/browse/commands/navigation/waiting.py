"""`wait`: wait for an element, a time or a condition."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from browse.browser.actions import waiting
from browse.browser.elements.target import locator_for
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Millis, Param, Source, Surroundings, parse_millis
from browse.registry.params import target as target_of
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, command

DEFAULT_MS = 15_000
LOAD_STATES = ("load", "domcontentloaded", "networkidle")
CONDITIONS = ("text", "url", "js")


def _parse_target(raw: str, env: Surroundings) -> str | int:
    if re.fullmatch(r"[0-9]+(?:ms|s)?", raw):
        return parse_millis(raw, env)
    if not raw.strip():
        raise Usage(
            "the selector is empty", hint="give a CSS selector such as '#done', or milliseconds"
        )
    return target_of(raw, env)


def _respell(words: list[str]) -> list[str]:
    """Take `wait load` as `wait --load`, and `wait text Saved` as `wait --text Saved`."""
    kind, *rest = words or [""]
    if kind in LOAD_STATES:
        return [f"--{kind}", *rest]
    if kind in CONDITIONS and rest:
        return [f"--{kind}={' '.join(rest)}"]
    return rest if kind in ("selector", "for") and rest else words


SelectorOrMillis = Annotated[str | int, Param("selector|ms", _parse_target)]


def _limit_ms(values: Mapping[str, Any]) -> int:
    """Return how long to wait: --timeout, the second word, or a number beside a condition."""
    for name in ("timeout", "limit", "target"):
        if isinstance(values[name], int):
            return int(values[name])
    return DEFAULT_MS


@command(
    group=Group.NAVIGATION,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    deadline=lambda values: _limit_ms(values) / 1000 + 5,
    mutates=lambda values: values["js"] is not None,
    changes=lambda values: ChangedTabs.OWN if values["js"] is not None else ChangedTabs.NONE,
    aliases=("wait-for", "waitfor", "wait-for-selector"),
    respell=_respell,
    instead={
        "--visible": "browse wait '#result' waits until it is visible",
        "--hidden": "browse wait '.spinner' --gone",
        "--state": "browse wait '#result', or browse wait '.spinner' --gone",
    },
)
async def wait(
    ctx: Ctx,
    target: Annotated[
        SelectorOrMillis | None, Doc("A selector to wait for, or a time in milliseconds.")
    ] = None,
    limit: Annotated[Millis | None, Doc("Maximum time to wait; default 15000.")] = None,
    *,
    load: Annotated[bool, Doc("Until the load event has fired.")] = False,
    domcontentloaded: Annotated[bool, Doc("Until the document is parsed.")] = False,
    networkidle: Annotated[
        bool, Doc("Until the network has been quiet for half a second.")
    ] = False,
    text: Annotated[str | None, Doc("Until this text is visible, in a field too.")] = None,
    url: Annotated[
        str | None,
        Doc(
            "Until the address contains this, or matches it as a glob (**/done?).",
            metavar="pattern",
        ),
    ] = None,
    js: Annotated[
        Source | None,
        Doc("Until this expression is true in the page.", metavar="expr", also=("--fn",)),
    ] = None,
    gone: Annotated[bool, Doc("Wait until the selector or --text is no longer visible.")] = False,
    timeout: Annotated[Millis | None, Doc("Maximum time to wait.")] = None,
) -> Text:
    """Wait for an element, a time, or a condition of the page.

    If several conditions are given, all of them must be met. An element must be visible.

    Examples:
        browse wait '#result'
        browse wait 500
        browse wait 2s
        browse wait --networkidle 5000
        browse wait --text 'Saved' --timeout 3000
        browse wait --url '**/dashboard'
        browse wait --js 'document.querySelectorAll(".row").length > 10'
        browse wait '.spinner' --gone
    """
    for name, given in (("--text", text), ("--url", url), ("--js", js)):
        if given is not None and not given.strip():
            raise Usage(f"wait: {name} is empty", hint="name what to wait for")
    limit_ms = _limit_ms({"timeout": timeout, "limit": limit, "target": target})
    frame = ctx.tab.frame
    if js is not None:
        ctx.browser.imported.check(frame.url)
    conditions: list[tuple[bool, Callable[[int], Awaitable[str]]]] = [
        (domcontentloaded, lambda ms: waiting.wait_for_load_state(frame, "domcontentloaded", ms)),
        (load, lambda ms: waiting.wait_for_load_state(frame, "load", ms)),
        (networkidle, lambda ms: waiting.wait_for_load_state(frame, "networkidle", ms)),
        (url is not None, lambda ms: waiting.wait_for_url(frame, url or "", ms)),
        (isinstance(target, str), lambda ms: _for_element(ctx, str(target), ms, gone=gone)),
        (text is not None, lambda ms: waiting.wait_for_text(frame, text or "", ms, gone=gone)),
        (js is not None, lambda ms: _for_expression(ctx, js or "", ms)),
    ]
    conditions_given = [condition for asked, condition in conditions if asked]
    if not conditions_given and isinstance(target, int):
        await asyncio.sleep(target / 1000)
        return Text(f"Waited {target} ms", {"waited": target})
    if not conditions_given:
        raise Usage(
            "wait: no condition was given",
            hint="browse wait <selector|ms>, or --load, --networkidle, --text, --url, --js",
        )
    clock = asyncio.get_running_loop().time
    until = clock() + limit_ms / 1000
    lines = [
        await condition(max(waiting.MIN_WAIT_MS, round((until - clock()) * 1000)))
        for condition in conditions_given
    ]
    return Text("\n".join(lines), {"met": lines})


async def _for_expression(ctx: Ctx, js: str, ms: int) -> str:
    imported, frame = ctx.browser.imported, ctx.tab.frame
    hosts = sorted(imported.domains)
    return await waiting.wait_for_expression(frame, js, ms, hosts=hosts, check=imported.check)


async def _for_element(ctx: Ctx, target: str, limit_ms: int, *, gone: bool) -> str:
    try:
        place = locator_for(ctx.tab, target)
    except BrowseError as exc:
        if not (gone and exc.code is Code.REF_STALE):
            raise
        return f"Element {target} is gone"
    return await waiting.wait_for_element(place, target, limit_ms, gone=gone)
