"""Import cookies: from a file, or from a browser that the person uses every day."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

from browse.auth.tickets import TicketKind
from browse.browser.storage import cookies as jar
from browse.browser.storage.cookie_import import ImportResult, RefusedCookie, import_cookies
from browse.browser.storage.stored_cookie import StoredCookie
from browse.cookies import files
from browse.cookies.browsers import NAMES, EverydayBrowser, named
from browse.cookies.everyday import EverydayBrowsers
from browse.cookies.problems import NoKey, unreadable
from browse.cookies.profiles import BrowserProfile
from browse.cookies.wanted import Wanted
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Reach, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService, EverydayService
from browse.guard.hosts import host_of
from browse.guard.path_errors import shown
from browse.registry.params import Doc, InputFile, Param
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command
from browse.view import address

MAX_FILE_BYTES = 10 * 1024 * 1024
# With the time in which a person finds the keyring's window and types its password.
DEADLINE_S = 120.0
Domain = Annotated[
    Wanted | None,
    Param("domain", lambda raw, _: Wanted.of(raw)),
    Doc("Only what this domain and its subdomains are sent; several with commas between."),
]


@command(
    group=Group.STATE,
    scope=Scope.ADMIN,
    name="cookie-import",
    reach=Reach.BROWSER,
    reads_stdin=True,
    deadline=DEADLINE_S,
)
async def cookie_import(
    ctx: Ctx,
    file: InputFile = None,
    *,
    domain: Domain = None,
    all: Annotated[bool, Doc("Cookies of all domains, not only of the current page's.")] = False,
) -> Text:
    """Import cookies from a file, and list those that could not be imported, with the reason.

    The file has JSON (an array of cookies, or a saved state), or is a `cookies.txt`, or a curl
    command as developer tools copy it; `-` reads stdin. Unless --domain or --all is given, all
    cookies must be for the site of the current page. Afterwards `js` and `eval` run only on pages
    of the imported domains.

    Examples:
        browse cookie-import cookies.json
        browse cookie-import cookies.txt --domain example.com
        browse cookie-import -
    """
    host = host_of(ctx.tab.url)
    raw, label = await _content(ctx, file)
    found = _parsed(raw, label, host)
    if domain:
        taken = [cookie for cookie in found if domain.includes(cookie.domain)]
    else:
        taken = found
        if not all:
            _require_same_site(found, jar.require_host(ctx.tab))
    result = await import_cookies(ctx.tab.page.context, ctx.browser.imported, taken)
    if result.refused and not result.kept:
        raise BrowseError(
            Code.COOKIE_REFUSED,
            f"Of {counted(len(taken), 'cookie')} of {label}, none can be imported.",
            hint="the reasons are below; export them again where you are logged in",
            page=_lines(result.refused),
        )
    left = len(found) - len(taken)
    rest = f" ({left} of other domains left out)" if left else ""
    facts = {"file": file.real if file else None, "leftOut": left}
    head = f"Loaded {counted(len(result.kept), 'cookie')} from {label}{rest}"
    return _report(head, result.refused, {"cookies": len(result.kept), **facts})


async def _content(ctx: Ctx, file: Any) -> tuple[bytes, str]:
    if file is None and not ctx.call.stdin:
        raise Usage(
            "cookie-import: no file was given and stdin is empty",
            hint="browse cookie-import cookies.json",
        )
    label = shown(file.typed) if file else "stdin"
    raw = await asyncio.to_thread(file.read, MAX_FILE_BYTES + 1) if file else ctx.call.stdin
    if len(raw) > MAX_FILE_BYTES:
        raise _broken(label, "it is larger than 10 MB")
    return raw, label


def _parsed(raw: bytes, label: str, host: str) -> list[StoredCookie]:
    try:
        found = files.parse(raw, host)
    except files.Unusable as exc:
        raise _broken(label, str(exc)) from exc
    if any(not cookie.domain for cookie in found):
        raise _broken(label, "a cookie has no domain, and the current page has no host")
    return found


def _broken(label: str, why: str) -> BrowseError:
    return BrowseError(
        Code.FILE_UNUSABLE,
        f"{label} is not a file of cookies: {why}. No cookie was set.",
        hint='it must hold [{"name": …, "value": …}, …] or {"cookies": […]}, or be a cookies.txt '
        "or a curl command",
    )


def _require_same_site(found: Sequence[StoredCookie], host: str) -> None:
    for cookie in found:
        if not jar.domain_covers(cookie.domain, host):
            raise BrowseError(
                Code.COOKIE_REFUSED,
                f'Cookie domain "{shown(cookie.domain)}" does not match current page domain '
                f'"{host}". Use the target site first. No cookie was set.',
                hint=f"browse goto https://{shown(cookie.host)}, then import again; or choose with "
                "--domain, or take --all",
            )


@command(
    group=Group.STATE,
    scope=Scope.ROOT,
    name="cookie-import-browser",
    lane=Lane.FREE,
    mutates=lambda values: bool(values["domain"] or values["all"]),
    deadline=DEADLINE_S,
)
async def cookie_import_browser(
    ctx: Ctx,
    browser: str | None = None,
    *,
    domain: Domain = None,
    profile: Annotated[
        str | None, Doc("A profile, by folder, name or account; default the first.", metavar="name")
    ] = None,
    all: Annotated[bool, Doc("Cookies of all domains.")] = False,
    list: Annotated[bool, Doc("List the browsers here, with profiles and accounts.")] = False,
    no_open: Annotated[bool, Doc("Only print the picker's address; do not open it.")] = False,
    everyday: EverydayService,
    access: AccessService,
) -> Text:
    """Import cookies from a browser on this machine: Chrome, Chromium, Brave, Edge, Firefox, ….

    Without --domain and --all, a page opens on which a person chooses. That browser need not be
    closed. Its keyring may ask you to allow it. The reply lists the cookies that could not be
    imported, with the reason. Afterwards `js` and `eval` run only on pages of the imported domains.

    Examples:
        browse cookie-import-browser chrome --domain github.com
        browse cookie-import-browser firefox --all
        browse cookie-import-browser
        browse cookie-import-browser --list
    """
    one = named(browser) if browser else None
    if list:
        return _listed([row for row in await everyday.installed() if one in (None, row[0])])
    if domain and all:
        raise Usage(
            "cookie-import-browser: --domain and --all exclude each other",
            hint="leave out one of them",
        )
    if not domain and not all:
        page = await _picker_page(ctx, everyday, one, profile)
        url = access.page(page, TicketKind.COOKIE_PICKER)
        return await address.told(ctx.settings, "Cookie picker", url, opens=not no_open)
    source = one or await _only_one(everyday)
    its = await everyday.profile(source, profile)
    wanted = domain or Wanted()
    found = await everyday.read(source, its, wanted)
    context = (await ctx.tabs()).context
    result = await import_cookies(context, ctx.browser.imported, found.cookies)
    result = ImportResult(result.kept, [*found.refused, *result.refused])
    if not result.kept:
        raise _nothing(source, its, wanted, found.problem, result.refused)
    return _imported(source, its, wanted, result, found.problem)


async def _picker_page(
    ctx: Ctx, everyday: EverydayBrowsers, browser: EverydayBrowser | None, profile: str | None
) -> str:
    """Return the path of the page on which a person chooses, with what was chosen already."""
    if not await everyday.installed():
        raise _no_browser()
    asked = {}
    if browser:
        asked["browser"] = browser.name
        asked["profile"] = (await everyday.profile(browser, profile)).folder
    if ctx.call.session:
        asked["session"] = ctx.call.session
    return f"/cookie-picker?{urlencode(asked)}" if asked else "/cookie-picker"


def _no_browser() -> BrowseError:
    return unreadable(
        "not_installed",
        f"No browser with cookies was found. Supported: {', '.join(NAMES)}.",
        "import from a file: `browse help cookie-import`",
    )


async def _only_one(everyday: EverydayBrowsers) -> EverydayBrowser:
    here = [browser for browser, _ in await everyday.installed()]
    if not here:
        raise _no_browser()
    if len(here) > 1:
        raise Usage(
            f"several browsers have cookies here: {', '.join(it.name for it in here)}",
            hint=f"name one: browse cookie-import-browser {here[0].name} --domain …",
        )
    return here[0]


def _imported(
    browser: EverydayBrowser,
    profile: BrowserProfile,
    wanted: Wanted,
    result: ImportResult,
    problem: NoKey | None,
) -> Text:
    kept, refused = len(result.kept), len(result.refused)
    which = f"cookies for {wanted}" if wanted.domains else "cookies"
    failed = f" ({refused} did not come)" if refused else ""
    lines = [f"Imported {kept} {which} from {browser.title}, profile {profile.title}{failed}"]
    if not wanted.domains:
        lines.append("(used --all: every login of that profile is now in this browser)")
    if problem:
        lines.append(f"[warning] {problem.message} {problem.hint}")
    facts = {"cookies": kept, "browser": browser.name, "profile": profile.folder}
    return _report("\n".join(lines), result.refused, facts)


def _nothing(
    browser: EverydayBrowser,
    profile: BrowserProfile,
    wanted: Wanted,
    problem: NoKey | None,
    refused: Sequence[RefusedCookie],
) -> BrowseError:
    """Build the error for an import of nothing: for want of a key, or because there is nothing."""
    where = f"{browser.title} (profile: {profile.title})"
    which = f" for {wanted}" if wanted.domains else ""
    lines = _lines(refused)
    if problem:
        return problem.error(lines)
    return unreadable(
        "no_cookies",
        f"Of {counted(len(refused), 'cookie')}{which} in {where}, none can be imported."
        if refused
        else f"No cookies found{which} in {where}.",
        "log in there with that browser first; "
        f"`browse cookie-import-browser {browser.name} --list` lists its profiles",
        page=lines,
    )


def _listed(here: Sequence[tuple[EverydayBrowser, Sequence[BrowserProfile]]]) -> Text:
    lines, rows = [], []
    for browser, profiles in here:
        for it in profiles:
            about = " ".join(filter(None, (it.name, it.account and f"<{it.account}>")))
            lines.append(f"{browser.name}  {it.folder}{f'  ({about})' if about else ''}")
            rows.append(
                {
                    "browser": browser.name,
                    "profile": it.folder,
                    "name": it.name,
                    "account": it.account,
                }
            )
    none = f"No browser with cookies was found. Supported: {', '.join(NAMES)}."
    return Text("\n".join(lines) or none, {"profiles": rows})


def _report(head: str, refused: Sequence[RefusedCookie], facts: dict[str, Any]) -> Text:
    """Build the reply: our words, and a line for each cookie that did not come."""
    rows = [{"name": it.name, "domain": it.domain, "why": it.why} for it in refused]
    data = {**facts, "refused": len(rows), **from_page(refused=rows)}
    return Text(head, data, page=_lines(refused), source="refused-cookies")


def _lines(refused: Sequence[RefusedCookie]) -> str:
    return "\n".join(f"{it.name or '(no name)'} of {it.domain}: {it.why}" for it in refused)
