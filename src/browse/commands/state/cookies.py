"""Cookies: print them without secrets, set one, import them from a file."""

import asyncio
from typing import Annotated, Any

import msgspec

from browse.browser.driver_errors import not_ours
from browse.browser.storage import cookies as jar
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Reach, Scope
from browse.dispatch.context import Ctx
from browse.guard import domains
from browse.guard.credentials import TYPED
from browse.guard.files import ReadPath
from browse.guard.path_errors import shown
from browse.guard.secrets import MASK, hidden, redacted
from browse.registry.params import Doc, ReadFile, Secret
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Alias, ChangedTabs, Group, Lane, command

MAX_FILE_BYTES = 10 * 1024 * 1024
# Chromium's extension API and everybody else spell it differently.
SAME_SITE = {"strict": "Strict", "lax": "Lax", "none": "None", "no_restriction": "None"}


@command(
    group=Group.STATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    reach=Reach.OWN,
    mutates=lambda values: values["clear"],
    changes=lambda values: ChangedTabs.SESSION if values["clear"] else ChangedTabs.NONE,
    aliases=(
        "cookie-list",
        Alias("cookies get"),
        Alias("cookies list"),
        Alias("cookie-clear", "--clear"),
        Alias("cookies clear", "--clear"),
    ),
)
async def cookies(
    ctx: Ctx,
    *,
    url: Annotated[
        str | None, Doc("Only cookies that are sent to this URL.", metavar="url")
    ] = None,
    domain: Annotated[
        str | None, Doc("Only cookies of this domain and its subdomains.", metavar="domain")
    ] = None,
    clear: Annotated[bool, Doc("Remove them instead of printing them.")] = False,
) -> PageText | Text:
    """Print the cookies as JSON, or remove them. Of secret values, only the length is shown.

    Examples:
        browse cookies
        browse cookies --domain example.com
        browse cookies --clear
        browse cookies --clear --domain example.com
    """
    known = await ctx.tabs()
    context = known.context
    if clear and known.others and not (domain or url):
        raise not_ours("removing every cookie")
    rows: list[dict[str, Any]] = [dict(row) for row in await jar.read_cookies(context, url)]
    if only := ctx.call.caller.domains:
        rows = [row for row in rows if domains.covers(only, row["domain"].removeprefix("."))]
    if domain:
        wanted = domain.removeprefix(".").lower()
        rows = [row for row in rows if jar.domain_covers(wanted, row["domain"].removeprefix("."))]
    if clear:
        await jar.remove_cookies(context, rows)
        many = "1 cookie" if len(rows) == 1 else f"{len(rows)} cookies"
        return Text(f"Removed {many}", {"removed": len(rows)})
    for row in [] if ctx.reveal else rows:
        # HttpOnly cookies are usually logins, whatever their name.
        value = row["value"]
        row["value"] = hidden(value) if row["httpOnly"] else redacted(row["name"], value)
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()
    return PageText(text, "cookies", from_page(cookies=rows))


def _pair(words: list[str]) -> list[str]:
    return ["=".join(words)] if len(words) == 2 and "=" not in words[0] else words


@command(
    group=Group.STATE,
    scope=Scope.ADMIN,
    aliases=("cookie-set", Alias("cookies set")),
    respell=_pair,
)
async def cookie(ctx: Ctx, pair: Annotated[Secret, Doc("", metavar="name=value")]) -> Text:
    """Set a cookie for the host of the current page.

    Examples:
        browse cookie theme=dark
    """
    name, equals, value = pair.partition("=")
    if not equals or not name.strip():
        raise Usage("cookie: a name, = and a value are needed", hint="browse cookie theme=dark")
    host = jar.require_host(ctx.tab)
    if redacted(name, value) != value:
        TYPED.add(value)
    await jar.set_cookies(ctx.tab, [{"name": name, "value": value, "domain": host, "path": "/"}])
    return Text(f"Cookie set: {shown(name)}={MASK}", {"name": name, "domain": host})


class CookieRow(msgspec.Struct, rename="camel"):
    """A cookie in a file; browser extensions write `expirationDate` for `expires`."""

    name: str
    value: str
    domain: str | None = None
    path: str | None = None
    expires: float | None = None
    expiration_date: float | None = None
    http_only: bool = False
    secure: bool = False
    same_site: str | None = None


class Stored(msgspec.Struct):
    """The cookies of a saved state."""

    cookies: list[CookieRow]


@command(group=Group.STATE, scope=Scope.ADMIN, name="cookie-import", reach=Reach.BROWSER)
async def cookie_import(ctx: Ctx, file: ReadFile) -> Text:
    """Import cookies from a JSON file, all of them or none.

    The file contains an array of cookies, or a saved state. The cookies must be for the site of the
    current page. Afterwards `js` and `eval` run only on pages of these domains.

    Examples:
        browse cookie-import cookies.json
    """
    host = jar.require_host(ctx.tab)
    rows = await asyncio.to_thread(_read, file)
    ready = [_ready(row, host) for row in rows]
    if ready:
        await jar.set_cookies(ctx.tab, ready)
    ctx.browser.imported.domains |= {row["domain"].removeprefix(".") for row in ready}
    return Text(
        f"Loaded {len(ready)} cookies from {shown(file.typed)}",
        {"cookies": len(ready), "file": file.real},
    )


def _read(file: ReadPath) -> list[CookieRow]:
    raw = file.read(MAX_FILE_BYTES + 1)
    if len(raw) > MAX_FILE_BYTES:
        raise _broken(file, "it is larger than 10 MB")
    try:
        return _rows(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise _broken(file, str(exc)) from exc


def _rows(raw: bytes) -> list[CookieRow]:
    try:
        return msgspec.json.decode(raw, type=Stored).cookies
    except msgspec.ValidationError:
        return msgspec.json.decode(raw, type=list[CookieRow])


def _broken(file: ReadPath, why: str) -> BrowseError:
    return BrowseError(
        Code.FILE_UNUSABLE,
        f"{shown(file.typed)} is not a file of cookies: {why}. No cookie was set.",
        hint='it must hold [{"name": …, "value": …}, …] or {"cookies": […]}',
    )


def _ready(row: CookieRow, host: str) -> dict[str, Any]:
    domain = (row.domain or host).lower()
    if not jar.domain_covers(domain, host):
        raise BrowseError(
            Code.COOKIE_REFUSED,
            f'Cookie domain "{shown(domain)}" does not match current page domain "{host}". '
            "Use the target site first. No cookie was set.",
            hint=f"browse goto https://{shown(domain.removeprefix('.'))}, then import again",
        )
    made: dict[str, Any] = {
        "name": row.name,
        "value": row.value,
        "domain": domain,
        "path": row.path or "/",
        "httpOnly": row.http_only,
        "secure": row.secure,
    }
    expires = row.expires if row.expires is not None else row.expiration_date
    if expires is not None:
        made["expires"] = expires
    if same_site := SAME_SITE.get((row.same_site or "").lower()):
        made["sameSite"] = same_site
    return made
