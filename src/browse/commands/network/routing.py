"""Answer or block requests instead of the network."""

import asyncio
import mimetypes
import re
from typing import Annotated, Any

import msgspec

from browse.browser.network.routes import RouteAnswer, RouteRule, Routes
from browse.browser.network.url_patterns import UrlPattern, compile_pattern
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import ReadPath
from browse.guard.path_errors import shown
from browse.registry.params import Doc, Param, ReadFile, Secret, Surroundings, unlogged, whole
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

MAX_FILE_BYTES = 50_000_000
GIVE = "browse route '*.png' --abort, or --status 404, --body '{}', --file stub.json"
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


def _header(raw: str, _: Surroundings) -> tuple[str, str]:
    name, colon, value = raw.partition(":")
    if not colon or not _NAME.fullmatch(name):
        raise Usage("that is not a header", hint="write it as 'name: value'")
    if not _VALUE.fullmatch(value):
        raise Usage(
            f"the value of the header {name[:40]!r} has a line end or another character that no "
            "header may have",
            hint="give it in one line of plain characters",
        )
    return name.lower(), value.strip()


def _plain(raw: str, _: Surroundings) -> str:
    if not raw.strip() or not _VALUE.fullmatch(raw):
        raise Usage("that is not a type", hint="give one such as application/json")
    return raw.strip()


Pattern = Annotated[UrlPattern, Param("pattern", lambda raw, _: compile_pattern(raw))]
Header = Annotated[tuple[str, str], Param("'name: value'", _header, noted=unlogged)]
MediaType = Annotated[str, Param("type", _plain)]
Status = Annotated[int, whole(200, 599)]


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE)
async def route(
    ctx: Ctx,
    pattern: Annotated[Pattern, Doc("Which addresses to match.")],
    *,
    abort: Annotated[bool, Doc("Block the request.")] = False,
    status: Annotated[Status | None, Doc("Answer with this status; default 200.")] = None,
    body: Annotated[Secret | None, Doc("Answer with this text.")] = None,
    file: Annotated[ReadFile | None, Doc("Answer with the present content of this file.")] = None,
    header: Annotated[
        tuple[Header, ...], Doc("Answer with this header; may be given several times.")
    ] = (),
    content_type: Annotated[
        MediaType | None,
        Doc("Content type of the answer; default: guessed from the file or the text."),
    ] = None,
) -> Text:
    """Mock or block requests to matching addresses, in all tabs until `unroute`.

    In a pattern, * matches anything but a slash, ** anything, {a,b} one of these. A pattern with
    :// must match the whole address, '*.png' its end, and /api/ any part of it. The query is
    ignored unless the pattern has a ?.

    The newest rule wins; one with the same pattern is replaced. Requests of service workers are
    answered too, but not what a worker has in its cache. WebSockets are not affected.

    Examples:
        browse route '*.png' --abort
        browse route /api/user --body '{"name": "Ada"}'
        browse route 'https://example.com/app.js' --file extract.js
        browse route /api/ --status 503 --header 'retry-after: 5'
    """
    rule = RouteRule(
        pattern,
        None
        if _refuses(abort=abort, others=[status, body, file, content_type, *header])
        else await _answer(status, body, file, header, content_type),
    )
    replaced = await (await ctx.tabs()).routes.add(rule)
    again = " (in place of the older rule)" if replaced else ""
    return Text(f"{_line(rule)}{again}", {**_facts(rule), "replaced": replaced})


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE, destroys=True)
async def unroute(ctx: Ctx, pattern: str | None = None) -> Text:
    """Remove the rule of `route` with this pattern, as it was typed; without a pattern, all rules.

    Examples:
        browse unroute '*.png'
        browse unroute
    """
    known = (await ctx.tabs()).routes
    chosen = list(known.rules) if pattern is None else _known(known, pattern)
    await known.remove(chosen)
    lines = [f"Removed: {_line(rule)}" for rule in chosen]
    return Text(
        "\n".join(lines) or "(no rules were set)", {"removed": [_facts(rule) for rule in chosen]}
    )


@command(group=Group.NETWORK, scope=Scope.READ, lane=Lane.FREE, aliases=("route-list",))
async def routes(ctx: Ctx) -> Text:
    """List the rules of `route` in order of precedence, with how often each was used.

    Examples:
        browse routes
    """
    rules = (await ctx.tabs()).routes.rules[::-1]
    lines = [_line(rule) for rule in rules]
    return Text(
        "\n".join(lines) or "(no rules are set)", {"routes": [_facts(rule) for rule in rules]}
    )


def _refuses(*, abort: bool, others: list[Any]) -> bool:
    given = any(other is not None for other in others)
    if abort and given:
        raise Usage(
            "route: --abort sends no answer, so it goes with no other flag",
            hint="leave out --abort, or the rest",
        )
    if not abort and not given:
        raise Usage("route: no answer is given", hint=GIVE)
    return abort


async def _answer(
    status: int | None,
    body: str | None,
    file: ReadPath | None,
    headers: tuple[tuple[str, str], ...],
    content_type: str | None,
) -> RouteAnswer:
    if body is not None and file:
        raise Usage("route: the body is either --body or --file", hint="leave out one of them")
    data = await asyncio.to_thread(_read, file) if file else (body or "").encode()
    sent: dict[str, str] = {}
    for name, value in headers:
        joint = "\n" if name == "set-cookie" else ", "
        sent[name] = f"{sent[name]}{joint}{value}" if name in sent else value
    guessed = _kind_of(file.real) if file else _kind_of_text(body)
    kind = content_type or sent.get("content-type") or guessed
    return RouteAnswer(status or 200, sent | ({"content-type": kind} if kind else {}), data)


def _read(file: ReadPath) -> bytes:
    data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"route: {shown(file.typed)} has more than {MAX_FILE_BYTES:,} bytes.",
            hint="give a smaller file; no rule was made",
        )
    return data


def _kind_of(path: str) -> str:
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _kind_of_text(body: str | None) -> str:
    """Guess the type of a text: JSON for an object or an array, HTML if it begins with a tag."""
    start = (body or "").lstrip()[:1]
    if start in ("{", "["):
        try:
            msgspec.json.decode(body or "")
        except msgspec.DecodeError:
            return "text/plain; charset=utf-8"
        return "application/json"
    if not start:
        return ""
    return "text/html; charset=utf-8" if start == "<" else "text/plain; charset=utf-8"


def _known(known: Routes, pattern: str) -> list[RouteRule]:
    if found := known.matching(pattern):
        return found
    there = ", ".join(shown(rule.pattern.text) for rule in known.rules)
    raise Usage(
        f"unroute: there is no rule with the pattern {shown(pattern)!r}.",
        hint=f"rules: {there}" if there else "no rules are set",
    )


def _line(rule: RouteRule) -> str:
    answer = rule.answer
    described = f"{answer.status}, {len(answer.body):,} bytes" if answer else "aborted"
    hits = f" (hits: {rule.hits})" if rule.hits else ""
    return f"{shown(rule.pattern.text)} → {described}{hits}"


def _facts(rule: RouteRule) -> dict[str, Any]:
    answer = rule.answer
    return {
        "pattern": rule.pattern.text,
        "abort": answer is None,
        "status": answer.status if answer else None,
        "bytes": len(answer.body) if answer else None,
        "contentType": answer.headers.get("content-type") if answer else None,
        "hits": rule.hits,
    }
