"""localStorage and sessionStorage of a page."""

from typing import Annotated

import msgspec

from browse.browser.storage import web_storage as shelf
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.credentials import TYPED
from browse.guard.path_errors import shown
from browse.guard.secrets import redacted, scrubbed
from browse.registry.params import Doc, Secret
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Alias, ChangedTabs, Family, Group, command

STORAGE = Family(
    "storage",
    Group.STATE,
    "Print or change the page's localStorage and sessionStorage. Secret values are masked.",
    default="list",
)
InSession = Annotated[bool, Doc("Use sessionStorage instead of localStorage.")]


@command(
    family=STORAGE,
    scope=Scope.ADMIN,
    mutates=False,
    changes=ChangedTabs.NONE,
    aliases=(Alias("localstorage-list"), Alias("sessionstorage-list", "--session-storage")),
)
async def storage_list(
    ctx: Ctx, *, session_storage: Annotated[bool, Doc("Print only sessionStorage.")] = False
) -> PageText:
    """Print all values in localStorage and sessionStorage as JSON.

    Examples:
        browse storage
        browse storage --session-storage
    """
    return await _all(ctx, ("sessionStorage",) if session_storage else shelf.KINDS)


@command(
    family=STORAGE,
    scope=Scope.ADMIN,
    mutates=False,
    changes=ChangedTabs.NONE,
    aliases=(Alias("localstorage-get"), Alias("sessionstorage-get", "--session-storage")),
)
async def storage_get(ctx: Ctx, key: str, *, session_storage: InSession = False) -> PageText:
    """Print one value.

    Examples:
        browse storage get theme --session-storage
    """
    return await _one(ctx, _kind(session=session_storage), key)


@command(
    family=STORAGE,
    scope=Scope.ADMIN,
    aliases=(Alias("localstorage-set"), Alias("sessionstorage-set", "--session-storage")),
)
async def storage_set(
    ctx: Ctx, key: str, value: Secret | None = None, *, session_storage: InSession = False
) -> Text:
    """Set a value; without one, an empty string.

    Examples:
        browse storage set theme dark
    """
    if value and redacted(key, value) != value:
        TYPED.add(value)
    kind = _kind(session=session_storage)
    await shelf.change_storage(ctx.tab, kind, key, value or "")
    return _changed("Set", "set", kind, key)


@command(
    family=STORAGE,
    scope=Scope.ADMIN,
    destroys=True,
    aliases=(Alias("localstorage-delete"), Alias("sessionstorage-delete", "--session-storage")),
)
async def storage_rm(ctx: Ctx, key: str, *, session_storage: InSession = False) -> Text:
    """Remove one value.

    Examples:
        browse storage rm theme
    """
    kind = _kind(session=session_storage)
    await shelf.change_storage(ctx.tab, kind, key, None)
    return _changed("Removed", "rm", kind, key)


@command(
    family=STORAGE,
    scope=Scope.ADMIN,
    destroys=True,
    aliases=(Alias("localstorage-clear"), Alias("sessionstorage-clear", "--session-storage")),
)
async def storage_clear(ctx: Ctx, *, session_storage: InSession = False) -> Text:
    """Remove all values from one of the two storages.

    Examples:
        browse storage clear
    """
    kind = _kind(session=session_storage)
    await shelf.change_storage(ctx.tab, kind, None, None)
    return _changed("Cleared", "clear", kind, None)


def _kind(*, session: bool) -> shelf.StorageKind:
    return "sessionStorage" if session else "localStorage"


def _changed(done: str, action: str, kind: shelf.StorageKind, key: str | None) -> Text:
    name = f'{kind}["{shown(key)}"]' if key is not None else kind
    return Text(f"{done} {name}", {"storage": kind, "action": action, "key": key})


def _shown(ctx: Ctx, key: str, value: str) -> str:
    if ctx.reveal:
        return value
    kept = redacted(key, value)
    return scrubbed(kept) if kept == value else kept


async def _all(ctx: Ctx, kinds: tuple[shelf.StorageKind, ...]) -> PageText:
    found = await shelf.read_storage(ctx.tab)
    rows = {
        kind: {key: _shown(ctx, key, value) for key, value in found[kind].items()} for kind in kinds
    }
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()
    return PageText(text, ctx.tab.url, from_page(**rows))


async def _one(ctx: Ctx, kind: shelf.StorageKind, key: str) -> PageText:
    found = (await shelf.read_storage(ctx.tab))[kind]
    if key not in found:
        raise BrowseError(
            Code.STORAGE,
            f'There is no {kind}["{shown(key)}"].',
            hint="`browse storage` lists what there is",
        )
    value = _shown(ctx, key, found[key])
    return PageText(value, ctx.tab.url, from_page(key=key, value=value))
