"""What a page is made of, as data."""

import json
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec

from browse.browser.elements.target import find
from browse.browser.page import scripts
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import well_formed
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import entire
from browse.guard.secrets import looks_secret, names_a_secret
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command

REDACTED = "[redacted]"
MOST_DIGITS = 18


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def forms(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """List the page's forms and their fields as JSON: labels, states, values, choices.

    Fields that belong to no form come last, in an entry marked `outside`. Passwords, card numbers,
    tokens and the like are `[redacted]`.

    Examples:
        browse forms
        browse forms '#checkout'
    """
    place = (await find(ctx.tab, selector, anyway=True)).place if selector else ctx.tab.frame
    found, concealed = await scripts.FORMS.read(place, reveal=ctx.reveal)
    each = dict if ctx.reveal else redacted
    rows = [
        {"index": index, **form, "fields": [each(field) for field in form["fields"]]}
        for index, form in enumerate(found)
    ]
    return entire(ctx, _pretty(rows), concealed, forms=rows)


def redacted(field: dict[str, Any]) -> dict[str, Any]:
    """Mask the value of a field that the page script kept back, or whose name tells a secret."""
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
    images: Annotated[bool, Doc("Pictures, those in backgrounds as well.")] = False,
    videos: Annotated[bool, Doc("Films.")] = False,
    audio: Annotated[bool, Doc("Sounds.")] = False,
) -> PageText:
    """List the pictures, films and sounds of the page, or of one element, as JSON.

    Without flags everything; flags add up.

    Examples:
        browse media --images
        browse media --videos --audio article
    """
    place = (await find(ctx.tab, selector, anyway=True)).place if selector else ctx.tab.frame
    every = not (images or videos or audio)
    listed, concealed = await scripts.MEDIA.read(
        place, images=images or every, videos=videos or every, audio=audio or every
    )
    found: dict[str, Any] = {**listed, "total": sum(len(items) for items in listed.values())}
    return entire(ctx, _pretty(found), concealed, **found)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def data(
    ctx: Ctx,
    *,
    jsonld: Annotated[bool, Doc("JSON-LD blocks.")] = False,
    og: Annotated[bool, Doc("Open Graph properties.")] = False,
    twitter: Annotated[bool, Doc("Twitter card properties.")] = False,
    meta: Annotated[bool, Doc("Title, canonical address, description, keywords, author.")] = False,
) -> PageText:
    """Print as JSON what the page says about itself to machines.

    Without flags everything; flags add up. A property that is given several times is a list.
    JSON-LD blocks that cannot be parsed are counted in `jsonLdBroken`.

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
    return entire(ctx, _pretty(found), concealed, **found)


def parsed(blocks: Iterable[str]) -> dict[str, Any]:
    """Parse JSON-LD blocks, and count those that cannot be."""
    good: list[Any] = []
    broken = 0
    for block in blocks:
        try:
            # Pages put line ends into their strings.
            value = json.loads(block, strict=False, parse_int=_whole, parse_constant=_nothing)
            clean = well_formed(json.dumps(value, ensure_ascii=False))
            good.append(msgspec.json.decode(clean))
        except (ValueError, RecursionError):
            broken += 1
    return {"jsonLd": good, **({"jsonLdBroken": broken} if broken else {})}


def _whole(digits: str) -> int | str:
    """Keep a number as it is written if it is longer than JSON of ours can hold."""
    return int(digits) if len(digits) <= MOST_DIGITS else digits


def _nothing(_: str) -> None:
    """Stand for NaN and Infinity, which JSON does not have."""


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, str | list[str]]:
    """Put properties together: one that is given several times is a list."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: found if len(found) > 1 else found[0] for name, found in values.items()}


@command(group=Group.READING, scope=Scope.ROOT, name="ux-audit")
async def ux_audit(ctx: Ctx) -> PageText:
    """Print as JSON what a visitor finds their way by.

    Whose site and which page it is, navigation, search, headings, what can be operated, and text.

    Examples:
        browse ux-audit
    """
    found = {"url": ctx.tab.url, **await scripts.UX_AUDIT(ctx.tab.frame)}
    return PageText(_pretty(found), ctx.tab.url, from_page(**found))


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
