"""Logins that an agent uses and never sees: `login add`, `link`, `fill`, `list`, `rm`."""

import asyncio
from typing import Annotated, Any, Literal

from browse.browser.actions import logins as login_pages
from browse.browser.page.login_fields import Part
from browse.browser.storage.saved_state import SavedState
from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.credentials import SEALED, seal
from browse.guard.hosts import host_of
from browse.guard.secret_input import MAX_SECRET_CHARS
from browse.logins.login import Credentials, Login, checked_name, checked_origin
from browse.logins.shelf import Shelf
from browse.logins.sources import PROGRAM_S, credentials
from browse.logins.totp import parse_seed
from browse.registry.params import Doc, Param, Secret
from browse.registry.results import Text, inline_url
from browse.registry.spec import Family, Group, Lane, command

# For a keyring or a vault that asks a person, and what comes after.
DEADLINE_S = 2 * PROGRAM_S + 30.0
Name = Annotated[str, Param("name", checked_name, names="logins")]
Origin = Annotated[str, Param("origin", checked_origin)]
User = Annotated[str, Doc("The user name, if the vault has none or another one.", metavar="name")]
Again = Annotated[bool, Doc("Replace the login of that name.")]
LOGIN = Family(
    "login",
    Group.STATE,
    "Log in without showing the password to anybody, the agent included.",
    """A login is filled in only on pages of exactly the origin that it was added for. Its password
    and codes never leave: replies, logs and pictures have **** instead, also with --reveal. Logins
    are encrypted, and all projects share them. The key is in the system's keyring, or in a file of
    mode 0600 if there is none.
    """,
    default="list",
)


@command(
    family=LOGIN,
    scope=Scope.ROOT,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    reads_stdin=True,
)
async def login_add(
    ctx: Ctx,
    name: Name,
    origin: Origin,
    *,
    user: Annotated[Secret, Doc("The user name.", metavar="name")] = "",
    again: Again = False,
) -> Text:
    """Keep a user name, a password and the seed of one-time codes, for one origin.

    A terminal asks for password and seed, without echo. Elsewhere they come on stdin: the password
    on the first line, the seed (base32 or otpauth://) on the second. They are never arguments.

    Examples:
        browse login add shop https://shop.example --user ada@example.com
        browse login add bank https://bank.example
    """
    password, seed = _from_stdin(ctx)
    login = Login(origin, "vault", user, password, seed)
    return await _keep(ctx, name, login, again=again)


def _from_stdin(ctx: Ctx) -> tuple[str, str]:
    try:
        lines = ctx.call.stdin.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise Usage("login add: what came on stdin is not text", hint=_HOW) from None
    if not any(lines) or len(lines) > 2 or max(map(len, lines)) > MAX_SECRET_CHARS:
        what = "one line for the password and at most one more for the seed are expected on stdin"
        raise Usage(f"login add: {what}. Nothing was kept", hint=_HOW)
    password, seed = [*lines, ""][:2]
    try:
        if seed.strip():
            parse_seed(seed)
    except ValueError as exc:
        raise Usage(
            f"login add: the second line is no seed of one-time codes: {exc}. Nothing was kept",
            hint="the site shows it when you set up an authenticator app, beside the QR code",
        ) from None
    return password, seed.strip()


_HOW = "type it in a terminal, which asks; or: printf '%s\\n' \"$PASSWORD\" | browse login add …"


@command(family=LOGIN, scope=Scope.ROOT, lane=Lane.FREE, deadline=DEADLINE_S)
async def login_link(
    ctx: Ctx,
    name: Name,
    origin: Origin,
    vault: Literal["op", "bw", "pass", "command"],
    item: Secret,
    *words: Secret,
    user: User = "",
    again: Again = False,
) -> Text:
    """Take a login from a vault of yours whenever it is filled in; nothing of it is kept here.

    `op` is 1Password, with the name of an item or op://vault/item; `bw` is Bitwarden; `pass` is the
    password store. `command` is any program with its words, put after --. It prints the password on
    its first line, then lines such as `user: ada` and `otpauth://…`; or an object as JSON with
    username, password and totp. It gets no terminal and 60 s, and its stderr is not shown.

    Examples:
        browse login link shop https://shop.example op op://Private/Shop
        browse login link mail https://mail.example pass web/mail
        browse login link wiki https://wiki.example command -- my-vault get wiki
    """
    if vault == "command":
        login = Login(origin, vault, user, words=(item, *words))
    elif words or item.startswith("-"):
        raise Usage(
            f"login link: {vault} takes the name of one item", hint="quote a name with spaces"
        )
    else:
        login = Login(origin, vault, user, item=item)
    return await _keep(ctx, name, login, again=again)


async def _keep(ctx: Ctx, name: str, login: Login, *, again: bool) -> Text:
    shelf = shelf_of(ctx)
    if not again and name in await asyncio.to_thread(shelf.names, "login"):
        raise BrowseError(
            Code.LOGIN,
            f"There is a login called {name!r} already; it is as it was.",
            hint="choose another name, or add --again to replace it",
        )
    key = await shelf.write("login", name, login)
    lines = [f"Login {name} is kept for {login.origin}", f"Its key is in {key.shown}"]
    lines += _warning(login.password)
    facts = {**_facts(name, login), "key": key.place}
    return Text("\n".join(lines), facts)


@command(family=LOGIN, scope=Scope.ROOT, acts=True, mutates=True, deadline=DEADLINE_S)
async def login_fill(
    ctx: Ctx,
    name: Name,
    *,
    submit: Annotated[bool, Doc("Press Enter after it.")] = False,
) -> Text:
    """Fill in the user name, the password and the one-time code that the page asks for.

    Nothing is typed unless the document with the fields, and every one around it, has exactly the
    origin of the login, its form is sent there, and the fields can be seen. If a site asks for the
    password or the code on the next page, run the same command again there.

    Examples:
        browse login fill shop
        browse login fill shop --submit
    """
    login = await shelf_of(ctx).read("login", name, Login)
    frame, fields = await login_pages.find_fields(ctx.tab, login.origin)
    held = await credentials(login)
    ctx.typed_secret = True
    seal(held.password, held.user)
    SEALED.add(held.code)  # it is old before anybody could send it in base64, and there are many
    values = _wanted(held, fields.parts, name)
    done = await login_pages.fill_fields(frame, login.origin, values)
    if not done:
        raise BrowseError(
            Code.UNMET,
            "The page did not take the login: the fields are empty or changed.",
            hint="look with `browse snapshot -i`",
        )
    sent = submit and await login_pages.submit(ctx.tab, frame, login.origin)
    text = f"Filled in {login_pages.named(done)} of {name}" + (" and pressed Enter" if sent else "")
    facts = {"name": name, "origin": login.origin, "filled": done, "submitted": sent}
    return Text("\n".join([text, *_warning(held.password)]), {**facts, "changed": True})


def _warning(password: str) -> list[str]:
    """Return a line on a password that cannot be told from other words, if it is one."""
    if not password or SEALED.takes(password):
        return []
    return [
        "[warning] this password is so short or common that a page that shows it cannot be"
        " masked: choose another one"
    ]


def _wanted(held: Credentials, parts: list[Part], name: str) -> dict[Part, str]:
    """Return what the page asks for and the login has; raise if that is nothing."""
    has: dict[Part, str] = {"user": held.user, "password": held.password, "code": held.code}
    values: dict[Part, str] = {part: has[part] for part in parts if has[part]}
    if not values:
        raise BrowseError(
            Code.LOGIN_REFUSED,
            f"The page asks for the {login_pages.named(parts)}, which the login {name} does not"
            " have. Nothing was typed.",
            hint="add it: `browse help login add`",
        )
    return values


@command(family=LOGIN, scope=Scope.ROOT, lane=Lane.FREE, deadline=DEADLINE_S)
async def login_list(ctx: Ctx) -> Text:
    """List the logins and login states: what each is for and where it comes from.

    Examples:
        browse login list
    """
    shelf = shelf_of(ctx)
    rows = [await _row(shelf, name) for name in await asyncio.to_thread(shelf.all_names)]
    if not rows:
        return Text("There are no logins. Add one: `browse help login add`.", {"logins": []})
    width = max(len(row["name"]) for row in rows)
    return Text(
        "\n".join(f"{row['name']:{width}}  {_about(row)}" for row in rows), {"logins": rows}
    )


async def _row(shelf: Shelf, name: str) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name}
    try:
        if name in await asyncio.to_thread(shelf.names, "login"):
            row |= _facts(name, await shelf.read("login", name, Login))
        if name in await asyncio.to_thread(shelf.names, "state"):
            saved = await shelf.read("state", name, SavedState)
            row |= {"state": saved.saved_at[:40], "host": host_of(saved.pages[0].url)}
    except BrowseError as exc:
        row["unusable"] = exc.message
    return row


def _about(row: dict[str, Any]) -> str:
    words = [row["origin"], row["from"], ", ".join(row["has"])] if "origin" in row else []
    if "state" in row:
        words.append(f"state of {inline_url(row['host'])} saved {row['state']}")
    if "unusable" in row:
        words.append(f"(unusable: {row['unusable']})")
    return "  ".join(filter(None, words))


def _facts(name: str, login: Login) -> dict[str, Any]:
    held = {"user name": login.user, "password": login.password, "one-time codes": login.seed}
    has = [what for what, value in held.items() if value]
    return {"name": name, "origin": login.origin, "from": login.source, "has": has}


@command(family=LOGIN, scope=Scope.ROOT, lane=Lane.FREE, destroys=True)
async def login_rm(ctx: Ctx, name: Name) -> Text:
    """Remove a login and its saved state.

    Examples:
        browse login rm shop
    """
    await asyncio.to_thread(shelf_of(ctx).remove, name)
    return Text(f"Login removed: {name}", {"name": name})


def shelf_of(ctx: Ctx) -> Shelf:
    """Return where the logins are."""
    return Shelf.of(Paths.of(ctx.settings).logins, ctx.settings.login_key)
