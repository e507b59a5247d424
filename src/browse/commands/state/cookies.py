"""Cookies: print them without secrets, remove them, set one."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from browse.browser.driver_errors import not_ours
from browse.browser.storage import cookies as jar
from browse.cookies.wanted import Wanted
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Reach, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard import domains
from browse.guard.credentials import TYPED
from browse.guard.path_errors import shown
from browse.guard.secrets import MASK, hidden, redacted
from browse.registry.params import Doc, Secret
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Alias, ChangedTabs, Group, Lane, command


@command(
    group=Group.STATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    reach=Reach.OWN,
    mutates=lambda values: _removes(values),
    changes=lambda values: ChangedTabs.SESSION if _removes(values) else ChangedTabs.NONE,
    aliases=(
        "cookie-list",
        Alias("cookies get"),
        Alias("cookies list"),
        Alias("cookie-clear", "--clear", destroys=True),
        Alias("cookies clear", "--clear", destroys=True),
        Alias("cookie-delete", "--delete", destroys=True),
        Alias("cookies delete", "--delete", destroys=True),
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
    delete: Annotated[
        str | None, Doc("Remove those with this name instead of printing them.", metavar="name")
    ] = None,
) -> PageText | Text:
    """Print the cookies as JSON, or remove them. Of secret values, only the length is shown.

    Examples:
        browse cookies
        browse cookies --domain example.com
        browse cookies clear --domain example.com
        browse cookies delete session_id
    """
    known = await ctx.tabs()
    context = known.context
    if clear and known.others and not (domain or url):
        raise not_ours("removing every cookie")
    rows: list[dict[str, Any]] = [dict(row) for row in await jar.read_cookies(context, url)]
    if only := ctx.call.caller.domains:
        rows = [row for row in rows if domains.covers(only, row["domain"].removeprefix("."))]
    if domain:
        wanted = Wanted.of(domain)
        rows = [row for row in rows if wanted.holds(row["domain"])]
    if delete is not None:
        rows = [row for row in rows if row["name"] == delete]
        if not rows:
            raise _no_such_cookie(delete)
    if clear or delete is not None:
        await jar.remove_cookies(context, rows)
        return Text(f"Removed {counted(len(rows), 'cookie')}", {"removed": len(rows)})
    for row in [] if ctx.reveal else rows:
        # HttpOnly cookies are usually logins, whatever their name.
        value = row["value"]
        row["value"] = hidden(value) if row["httpOnly"] else redacted(row["name"], value)
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()
    return PageText(text, "cookies", from_page(cookies=rows))


def _removes(values: Mapping[str, Any]) -> bool:
    return values["clear"] or values["delete"] is not None


def _no_such_cookie(name: str) -> BrowseError:
    return BrowseError(
        Code.COOKIE_REFUSED,
        f'There is no cookie named "{shown(name)}" here; none was removed.',
        hint="`browse cookies` lists them",
    )


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
