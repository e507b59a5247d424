"""Extra headers of every request."""

import re
from typing import Annotated

from browse.browser.emulation.emulation import Emulation
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.credentials import TYPED
from browse.guard.secrets import HIDDEN_HEADERS, MASK, looks_secret, names_a_secret
from browse.registry.params import Doc, Secret
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, Lane, command

# With one of these, Chromium refuses every request.
REFUSED = {
    "connection", "content-length", "cookie2", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
}  # fmt: skip
MAX_CHARS = 8_192


@command(
    group=Group.NETWORK,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    changes=lambda it: ChangedTabs.SESSION if it["words"] or it["remove"] else ChangedTabs.NONE,
)
async def header(
    ctx: Ctx,
    *words: Secret,
    remove: Annotated[str | None, Doc("Remove this header.", metavar="name")] = None,
) -> Text:
    """Send a header with every request of every tab; without a header, list those that are set.

    It is sent to every site that a page loads something from. Secret values are not shown.

    Examples:
        browse header 'X-Test: on'
        browse header Authorization: Bearer abc123
        browse header --remove authorization
    """
    emulation = (await ctx.tabs()).emulation
    kept = dict(emulation.headers)
    if remove is not None:
        return await _remove(emulation, remove.strip().lower(), words)
    if not words:
        lines = [f"{name}: {_shown(name, kept[name], reveal=ctx.reveal)}" for name in kept]
        return Text("\n".join(lines) or "(no headers are set)", {"headers": sorted(kept)})
    name, value = parse(" ".join(words))
    kept[name.lower()] = value
    if _is_secret(name, value):
        TYPED.add(value)
        TYPED.add(value.rpartition(" ")[2])  # without `Bearer`
    await emulation.set_headers(kept)
    return Text(
        f"Header set: {name}: {_shown(name, value, reveal=ctx.reveal)}",
        {"name": name.lower(), "headers": sorted(kept)},
    )


async def _remove(emulation: Emulation, name: str, words: tuple[str, ...]) -> Text:
    kept = dict(emulation.headers)
    there = f"set are: {', '.join(kept)}" if kept else "no headers are set"
    if words:
        raise Usage("header: --remove takes the name alone", hint=there)
    if name not in kept:
        raise Usage(f"header: {name[:60]!r} is not set", hint=there)
    del kept[name]
    await emulation.set_headers(kept)
    return Text(f"Header removed: {name}", {"name": name, "headers": sorted(kept)})


def parse(line: str) -> tuple[str, str]:
    """Parse `name: value`; raise if it would end the header or break every request."""
    name, colon, value = line.partition(":")
    name, value = name.strip(), value.strip(" \t")
    if not colon or not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}", name):
        raise Usage(
            f"header: {name[:60]!r} is not the name of a header",
            hint="write name: value, such as 'X-Test: on'",
        )
    if not re.fullmatch(r"[\t\x20-\x7e]*", value) or len(value) > MAX_CHARS:
        raise Usage(
            "header: the value holds a line break or other characters that no header may hold",
            hint=f"use printable ASCII, {MAX_CHARS:,} characters at most",
        )
    if name.lower() in REFUSED or name.lower().startswith("proxy-"):
        raise Usage(
            f"header: {name} is the browser's own; with it set, no page would load",
            hint="set another header",
        )
    return name, value


def _is_secret(name: str, value: str) -> bool:
    return name.lower() in HIDDEN_HEADERS or names_a_secret(name) or looks_secret(value)


def _shown(name: str, value: str, *, reveal: bool) -> str:
    return MASK if _is_secret(name, value) and not reveal else value
