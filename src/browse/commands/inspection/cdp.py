"""`cdp`: call a single method of the DevTools protocol."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from browse.browser.reading import cdp_call
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import TelemetryService
from browse.guard.protocol import METHODS, Method, check_method
from browse.registry.params import Param, Surroundings, unlogged
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, Lane, command

HINT = """browse cdp Performance.getMetrics, or browse cdp DOM.getBoxModel '{"backendNodeId": 3}'"""
LIMIT_S = 5.0


def _arguments(raw: str, _: Surroundings) -> dict[str, Any]:
    try:
        return msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError) as exc:
        raise Usage(f"Cannot parse params as JSON: {exc}", hint=HINT) from exc


def _method(raw: str, _: Surroundings) -> Method | None:
    if raw == "help":
        return None
    domain, dot, name = raw.partition(".")
    if not (domain and dot and name):
        raise Usage(f"{raw[:40]!r} is not Domain.method", hint=HINT)
    return check_method(raw)


def _lane(values: Mapping[str, Any]) -> Lane:
    method: Method | None = values["method"]
    if method is None:
        return Lane.FREE
    return Lane.BROWSER if method.whole_browser else Lane.TAB


@command(
    group=Group.INSPECTION,
    scope=Scope.ROOT,
    lane=_lane,
    deadline=LIMIT_S,
    mutates=lambda it: it["method"] is not None,
)
async def cdp(
    ctx: Ctx,
    method: Annotated[Method | None, Param("method", _method)] = None,
    params: Annotated[dict[str, Any] | None, Param("json", _arguments, noted=unlogged)] = None,
    *,
    telemetry: TelemetryService,
) -> PageText | Text:
    """Call a DevTools protocol (CDP) method on the tab; without one, list the allowed methods.

    Methods that are not on the list are refused. `browse cdp help` is the list too. The time limit
    is 5 s.

    Examples:
        browse cdp
        browse cdp Page.getLayoutMetrics
        browse cdp Accessibility.getFullAXTree '{"depth": 2}'
    """
    if method is None:
        names = sorted(METHODS)
        return Text("\n".join(names), {"methods": names})
    telemetry.add("cdp_method_called", method=method.name)
    telemetry.add("cdp_lock_acquire_ms", ms=round(ctx.queued_s * 1000, 1))
    tab = ctx.held or await (await ctx.tabs()).current(ctx.call.caller)
    answer = await cdp_call.call_method(tab, method.name, params or {})
    words = msgspec.json.format(msgspec.json.encode(answer), indent=2).decode()
    if method.from_page:
        return PageText(words, f"cdp:{method.name}", from_page(result=answer))
    return Text(words, {"result": answer})
