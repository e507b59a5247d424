"""What a page keeps for itself: localStorage and sessionStorage."""

from typing import Annotated, Literal

import msgspec

from browse.browser.storage import web_storage as shelf
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.credentials import TYPED
from browse.guard.files import shown
from browse.guard.secrets import redacted, scrubbed
from browse.registry.params import Doc, Secret
from browse.registry.results import PageText, Text, from_page
from browse.registry.spec import Group, command

HINT = "storage, storage get <key>, storage set <key> [value], storage rm <key>, storage clear"


@command(
    group=Group.STATE,
    scope=Scope.ADMIN,
    mutates=lambda values: values["action"] not in (None, "get"),
)
async def storage(
    ctx: Ctx,
    action: Literal["get", "set", "rm", "clear"] | None = None,
    key: str | None = None,
    value: Secret | None = None,
    *,
    session_storage: Annotated[bool, Doc("sessionStorage instead of localStorage.")] = False,
) -> PageText | Text:
    """Print what the page stores, as JSON, or change it. Values that are secrets are masked.

    Without an action both storages are shown, with --session-storage only that one.

    Examples:
        browse storage
        browse storage set theme dark
        browse storage get theme --session-storage
        browse storage clear
    """
    kind: shelf.Kind = "sessionStorage" if session_storage else "localStorage"
    _check(action, key, value)
    if action is None:
        return await _all(ctx, (kind,) if session_storage else shelf.KINDS)
    if action == "get":
        return await _one(ctx, kind, key or "")
    if key and value and redacted(key, value) != value:
        TYPED.add(value)
    await shelf.change(ctx.tab, kind, key, (value or "") if action == "set" else None)
    name = f'{kind}["{shown(key)}"]' if key is not None else kind
    done = {"set": "Set", "rm": "Removed", "clear": "Cleared"}[action]
    return Text(f"{done} {name}", {"storage": kind, "action": action, "key": key})


def _check(action: str | None, key: str | None, value: str | None) -> None:
    if action in ("get", "set", "rm") and key is None:
        raise Usage(f"storage {action}: <key> is missing", hint=HINT)
    if action == "clear" and key is not None:
        raise Usage("storage clear takes no key", hint="browse storage rm <key> removes one")
    if action in ("get", "rm") and value is not None:
        raise Usage(f"storage {action}: one key is all it takes", hint=HINT)


def _shown(ctx: Ctx, key: str, value: str) -> str:
    if ctx.reveal:
        return value
    kept = redacted(key, value)
    return scrubbed(kept) if kept == value else kept


async def _all(ctx: Ctx, kinds: tuple[shelf.Kind, ...]) -> PageText:
    found = await shelf.read(ctx.tab)
    rows = {
        kind: {key: _shown(ctx, key, value) for key, value in found[kind].items()} for kind in kinds
    }
    text = msgspec.json.format(msgspec.json.encode(rows), indent=2).decode()
    return PageText(text, ctx.tab.url, from_page(**rows))


async def _one(ctx: Ctx, kind: shelf.Kind, key: str) -> PageText:
    found = (await shelf.read(ctx.tab))[kind]
    if key not in found:
        raise BrowseError(
            Code.STORAGE,
            f'There is no {kind}["{shown(key)}"].',
            hint="`browse storage` lists what there is",
        )
    value = _shown(ctx, key, found[key])
    return PageText(value, ctx.tab.url, from_page(key=key, value=value))
