"""Structured data of a page: `forms`, `media`, `data`, `ux-audit`."""

import json
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from browse.browser.page import scripts
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import well_formed
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import complete_reply
from browse.guard.secrets import looks_secret, names_a_secret
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command

REDACTED = "[redacted]"
MOST_DIGITS = 18


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def forms(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """List the page's forms and their fields as JSON: labels, states, values, options.

    Fields that belong to no form come last, in an entry marked `outside`. Passwords, card numbers,
    tokens and the like are `[redacted]`.

    Examples:
        browse forms
        browse forms '#checkout'
    """
    place = (await ctx.find(selector, anyway=True)).place if selector else ctx.tab.frame
    found, concealed = await scripts.FORMS.read(place, reveal=ctx.reveal)
    each = dict if ctx.reveal else redacted
    rows = [
        {"index": index, **form, "fields": [each(field) for field in form["fields"]]}
        for index, form in enumerate(found)
    ]
    return complete_reply(ctx, _pretty(rows), concealed, forms=rows)


def redacted(field: dict[str, Any]) -> dict[str, Any]:
    """Mask the value of a field that is, or by its name may be, a secret."""
    secret = field.pop("secret", False)
    value = field.get("value")
    named = any(names_a_secret(field.get(key, "")) for key in ("name", "id"))
    if secret or (value and named) or (isinstance(value, str) and looks_secret(value)):
        return {**field, "value": REDACTED}
    return field


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def media(
    ctx: Ctx,
    selector: Selector | None = None,
    *,
    images: Annotated[bool, Doc("Images, also those in CSS backgrounds.")] = False,
    videos: Annotated[bool, Doc("Videos.")] = False,
    audio: Annotated[bool, Doc("Audio.")] = False,
) -> PageText:
    """List the images, videos and audio of the page, or of one element, as JSON.

    Without flags, all kinds; flags can be combined.

    Examples:
        browse media --images
        browse media --videos --audio article
    """
    place = (await ctx.find(selector, anyway=True)).place if selector else ctx.tab.frame
    every = not (images or videos or audio)
    listed, concealed = await scripts.MEDIA.read(
        place, images=images or every, videos=videos or every, audio=audio or every
    )
    found: dict[str, Any] = {**listed, "total": sum(len(items) for items in listed.values())}
    return complete_reply(ctx, _pretty(found), concealed, **found)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def data(
    ctx: Ctx,
    *,
    jsonld: Annotated[bool, Doc("JSON-LD blocks.")] = False,
    og: Annotated[bool, Doc("Open Graph properties.")] = False,
    twitter: Annotated[bool, Doc("Twitter card properties.")] = False,
    meta: Annotated[bool, Doc("Title, canonical URL, description, keywords, author.")] = False,
) -> PageText:
    """Print the page's metadata as JSON: JSON-LD, Open Graph, Twitter cards, meta tags.

    Without flags, all kinds; flags can be combined. A property with several values is a list.
    Invalid JSON-LD blocks are counted in `jsonLdBroken`.

    Examples:
        browse data
        browse data --jsonld --og
    """
    about, concealed = await scripts.DATA.read(ctx.tab.frame)
    every = not (jsonld or og or twitter or meta)
    found: dict[str, Any] = {}
    if jsonld or every:
        found |= parsed(about.json_ld)
    if og or every:
        found["openGraph"] = gathered(about.open_graph)
    if twitter or every:
        found["twitterCards"] = gathered(about.twitter_cards)
    if meta or every:
        found["meta"] = {name: value for name, value in about.meta.items() if value}
    return complete_reply(ctx, _pretty(found), concealed, **found)


def parsed(blocks: Iterable[str]) -> dict[str, Any]:
    """Parse JSON-LD blocks, and count the invalid ones."""
    good: list[Any] = []
    broken = 0
    for block in blocks:
        try:
            # Not strict: pages put line breaks into strings.
            value = json.loads(block, strict=False, parse_int=_whole, parse_constant=_nothing)
            clean = well_formed(json.dumps(value, ensure_ascii=False))
            good.append(msgspec.json.decode(clean))
        except (ValueError, RecursionError):
            broken += 1
    return {"jsonLd": good, **({"jsonLdBroken": broken} if broken else {})}


def _whole(digits: str) -> int | str:
    """Keep a number as text if it is longer than our JSON encoder allows."""
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _nothing(_: str) -> None:
    """Replace NaN and Infinity, which JSON does not have."""


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, str | list[str]]:
    """Collect properties; one with several values becomes a list."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: found if len(found) > 1 else found[0] for name, found in values.items()}


@command(group=Group.READING, scope=Scope.ROOT, name="ux-audit")
async def ux_audit(ctx: Ctx) -> PageText:
    """Print the page's landmarks as JSON: what visitors orient themselves by.

    Site and page names, navigation, search, headings, interactive elements, text.

    Examples:
        browse ux-audit
    """
    found = {"url": ctx.tab.url, **await scripts.UX_AUDIT(ctx.tab.frame)}
    return PageText(_pretty(found), ctx.tab.url, from_page(**found))


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
