"""`wait`: wait for an element, a time or a condition."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

import msgspec

from browse.browser.actions import waiting
from browse.browser.actions import waiting_for_content as content
from browse.browser.actions.pending import wait_for_navigation
from browse.browser.elements.target import locator_for
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import (
    Doc,
    Duration,
    Millis,
    Param,
    Source,
    Surroundings,
    parse_millis,
    unlogged,
)
from browse.registry.params import target as target_of
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, command

DEFAULT_MS = 15_000
STILL_MS = 1_000
MAX_NAMED = 5
LOAD_STATES = ("load", "domcontentloaded", "networkidle", "navigation")
CONDITIONS = ("text", "url", "js")
WITH_SELECTOR = ("value", "count")


def _parse_target(raw: str, env: Surroundings) -> str | int:
    if re.fullmatch(r"[0-9]+(?:ms|s)?", raw):
        return parse_millis(raw, env)
    if not raw.strip():
        raise Usage(
            "the selector is empty", hint="give a CSS selector such as '#done', or milliseconds"
        )
    return target_of(raw, env)


def _respell(words: list[str]) -> list[str]:
    """Take `wait load` as `wait --load`, and `wait text Saved` as `wait --text Saved`.

    `wait value '#total' 42` is `wait '#total' --value 42`.
    """
    kind, *rest = words or [""]
    if kind in WITH_SELECTOR and len(rest) > 1:
        return [rest[0], f"--{kind}={rest[1]}", *rest[2:]]
    if kind in LOAD_STATES:
        return [f"--{kind}", *rest]
    if kind in CONDITIONS and rest:
        return [f"--{kind}={' '.join(rest)}"]
    return rest if kind in ("selector", "for") and rest else words


class _Count(msgspec.Struct, frozen=True):
    number: int
    or_more: bool


def _parse_count(raw: str, _: Surroundings) -> _Count:
    found = re.fullmatch(r"([0-9]{1,6})(\+?)", raw.strip())
    if not found:
        raise Usage(f"{raw[:40]!r} is not a count", hint="give 3, or 3+ for three or more")
    return _Count(int(found[1]), bool(found[2]))


Count = Annotated[_Count, Param("count", _parse_count)]
# What a field should hold, which may be a secret.
Wanted = Annotated[str, Param("value", lambda raw, _: raw, noted=unlogged)]
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
    navigation: Annotated[
        bool, Doc("Until the page that an action has sent for is there, else the next one.")
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
    stable: Annotated[
        bool, Doc("Until the text of the selector, or of the page, has stopped changing.")
    ] = False,
    still: Annotated[
        Duration | None, Doc("As --stable, and how long it must stay the same; default 1s.")
    ] = None,
    value: Annotated[
        Wanted | None,
        Doc("Until the field of the selector holds this; never what a secret field holds."),
    ] = None,
    count: Annotated[
        Count | None, Doc("Until so many elements match and are visible: 3, or 3+.")
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
        browse wait --navigation 20s
        browse wait --url '**/dashboard'
        browse wait --js 'document.querySelectorAll(".row").length > 10'
        browse wait '.spinner' --gone
        browse wait '#answer' --stable --timeout 60000
        browse wait '#total' --value 42
        browse wait '.row' --count 10+
    """
    stable = stable or still is not None
    of_target = stable or value is not None or count is not None
    given = {
        "domcontentloaded": domcontentloaded,
        "load": load,
        "networkidle": networkidle,
        "navigation": navigation,
        "url": url,
        "target": isinstance(target, str) and not of_target,
        "text": text,
        "js": js,
        "stable": stable,
        "value": value,
        "count": count,
    }
    limit_ms = _limit_ms({"timeout": timeout, "limit": limit, "target": target})
    return await _wait(ctx, target, given, limit_ms, gone=gone, still_ms=still)


async def _wait(
    ctx: Ctx,
    target: str | int | None,
    given: Mapping[str, Any],
    limit_ms: int,
    *,
    gone: bool,
    still_ms: int | None,
) -> Text:
    _check(given, target, gone=gone)
    if still_ms is not None and still_ms > limit_ms:
        raise Usage(
            f"wait: the text cannot stay the same for {still_ms} ms within {limit_ms} ms",
            hint=f"wait longer: --stable --still {still_ms} --timeout {still_ms + DEFAULT_MS}",
        )
    if given["js"] is not None:
        ctx.browser.imported.check(ctx.tab.frame.url)
    still_ms = STILL_MS if still_ms is None else still_ms
    how = _How(ctx, target if isinstance(target, str) else "", gone, still_ms)
    asked = [(WAYS[name], word) for name, word in given.items() if word not in (None, False)]
    if not asked and isinstance(target, int):
        await asyncio.sleep(target / 1000)
        return Text(f"Waited {target} ms", {"waited": target})
    if not asked:
        raise Usage(
            "wait: no condition was given",
            hint="browse wait <selector|ms>, or --load, --networkidle, --text, --url, --js",
        )
    clock = asyncio.get_running_loop().time
    until = clock() + limit_ms / 1000
    lines = [
        await way(how, word, max(waiting.MIN_WAIT_MS, round((until - clock()) * 1000)))
        for way, word in asked
    ]
    return Text("\n".join(lines), {"met": lines})


def _check(given: Mapping[str, Any], target: str | int | None, *, gone: bool) -> None:
    """Raise if a condition is empty, or lacks the selector that it is about."""
    for name in CONDITIONS:
        if given[name] is not None and not given[name].strip():
            raise Usage(f"wait: --{name} is empty", hint="name what to wait for")
    for name in ("value", "count"):
        if given[name] is not None and not isinstance(target, str):
            raise Usage(f"wait: --{name} needs a selector", hint=f"browse wait '#it' --{name} 3")
    others = [name for name, word in given.items() if word not in (None, False)]
    if gone and others and not given["target"] and given["text"] is None:
        raise Usage(
            f"wait: --gone is about a selector or --text, not --{others[0]}",
            hint="browse wait '.spinner' --gone, or browse wait '.row' --count 0",
        )


class _How(msgspec.Struct, frozen=True):
    """What the conditions of one call have in common."""

    ctx: Ctx
    selector: str
    gone: bool
    still_ms: int

    def idle_s(self) -> float:
        return self.ctx.browser.logs.traffic.idle_s(self.ctx.tab.id)

    def open_requests(self) -> list[str]:
        return self.ctx.browser.logs.traffic.not_idle(self.ctx.tab.id, MAX_NAMED)


Way = Callable[[_How, Any, int], Awaitable[str]]
# By the name of the parameter, in the order in which they are waited for.
WAYS: dict[str, Way] = {
    "domcontentloaded": lambda how, _, ms: waiting.wait_for_load_state(
        how.ctx.tab.frame, "domcontentloaded", ms
    ),
    "load": lambda how, _, ms: waiting.wait_for_load_state(how.ctx.tab.frame, "load", ms),
    "networkidle": lambda how, _, ms: waiting.wait_for_idle_network(
        how.ctx.tab.frame, ms, how.idle_s, how.open_requests
    ),
    "navigation": lambda how, _, ms: wait_for_navigation(how.ctx.tab, ms),
    "url": lambda how, word, ms: waiting.wait_for_url(how.ctx.tab.frame, word, ms),
    "target": lambda how, _, ms: _for_element(how.ctx, how.selector, ms, gone=how.gone),
    "text": lambda how, word, ms: waiting.wait_for_text(how.ctx.tab.frame, word, ms, gone=how.gone),
    "js": lambda how, word, ms: _for_expression(how.ctx, word, ms),
    "stable": lambda how, _, ms: content.wait_for_stable(
        how.ctx.tab, how.selector, ms, still_ms=how.still_ms
    ),
    "value": lambda how, word, ms: content.wait_for_value(how.ctx.tab, how.selector, word, ms),
    "count": lambda how, word, ms: content.wait_for_count(
        how.ctx.tab, how.selector, word.number, ms, or_more=word.or_more
    ),
}


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
