"""Pretending to be another device, in another place, on another network."""

import asyncio
from typing import Annotated, Any, Literal

import msgspec

from browse.browser.emulation import values
from browse.browser.emulation.emulation import Emulated, Screen
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Param
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

What = Literal[
    "device", "devices", "geo", "locale", "timezone", "color-scheme", "reduced-motion", "media",
    "permissions", "offline", "throttle", "cpu", "reset",
]  # fmt: skip
Size = Annotated[tuple[int, int], Param("WxH", lambda raw, _: values.size(raw))]
Scale = Annotated[float, Param("n", lambda raw, _: values.number(raw, *values.SCALES, "a scale"))]
LATER = "the page that is open sees it after `browse reload`"


@command(group=Group.NETWORK, scope=Scope.WRITE, mutates=False)
async def viewport(
    ctx: Ctx,
    size: Annotated[Size | None, Doc("Width and height in CSS pixels.")] = None,
    *,
    scale: Annotated[Scale | None, Doc("Real pixels for each of them, from 1 to 3.")] = None,
) -> Text:
    """Set the size of the tab's window, and of tabs opened later; without words, print it.

    The page is not loaded again.

    Examples:
        browse viewport 375x812
        browse viewport 1280x720 --scale 2
        browse viewport
    """
    tab = ctx.tab
    asked = size is not None or scale is not None
    if asked:
        width, height = size or (tab.screen.width, tab.screen.height)
        tab.screen = Screen(width, height, scale or tab.screen.scale, tab.screen.mobile)
        (await ctx.tabs()).emulation.screen = tab.screen
        _ = tab.frame  # a crashed tab says so; its next page gets the size
        await tab.emulate()
    facts = {"width": tab.screen.width, "height": tab.screen.height, "scale": tab.screen.scale}
    return Text(f"Viewport {'set to ' if asked else 'is '}{tab.screen}", facts)


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate(
    ctx: Ctx, what: Annotated[What | None, Doc("", metavar="what")] = None, *words: str
) -> Text:
    """Pretend to be another device, place or network; without words, list what is set.

    It holds for all tabs, and for those that are opened later. What to give:
    `device <name>`, `geo <lat,lon>[,metres]`, `locale <tag>`, `timezone <id>`, `color-scheme
    <dark|light|no-preference>`, `reduced-motion <reduce|no-preference>`, `media <print|screen>`,
    `permissions <name…>`, `offline on`, `throttle <slow-3g|fast-3g|4g>` or `throttle
    <down,up,latency>` in kbit/s and ms, `cpu <slowdown>`. `off` in place of the value ends one of
    them, `reset` ends all and resets the viewport and the user agent. `devices [part]` lists names.

    Examples:
        browse emulate device iPhone 15
        browse emulate devices pixel
        browse emulate geo 48.8584,2.2945
        browse emulate throttle slow-3g
        browse emulate color-scheme dark
        browse emulate locale off
        browse emulate reset
    """
    if what is None:
        return await _listed(ctx)
    if what == "devices":
        return await _devices(ctx, " ".join(words))
    if what == "reset":
        _take_none(what, words)
        return await _reset(ctx)
    if not words:
        raise Usage(f"emulate: {what} needs a value", hint="see `browse help emulate`")
    if list(words) in (["off"], ["none"]):
        return await _end(ctx, what)
    if what == "device":
        return await _be_device(ctx, words)
    fields = await asyncio.to_thread(_read, what, words)
    return await _change(ctx, f"Emulating {what}: {' '.join(words)}", fields)


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def useragent(
    ctx: Ctx,
    *words: str,
    reset: Annotated[bool, Doc("Go back to the browser's own.")] = False,
) -> Text:
    """Set the user agent of all tabs: what servers are sent and pages see.

    Examples:
        browse useragent 'MyBot/1.0 (+https://example.com/bot)'
        browse useragent --reset
    """
    agent = " ".join(words).strip()
    if bool(agent) == reset:
        raise Usage(
            "useragent: give either a string or --reset",
            hint="browse useragent <string…>, or browse useragent --reset",
        )
    if not agent.isprintable() or not agent.isascii():
        raise Usage("useragent: it holds characters that no header may hold", hint="use ASCII")
    done = "User agent reset" if reset else f"User agent set: {agent}"
    return await _change(ctx, done, {"useragent": agent})


def _read(what: str, words: tuple[str, ...]) -> dict[str, Any]:
    try:
        return values.READERS[what](words)
    except Usage as exc:
        raise Usage(f"emulate {what}: {exc.message}", hint=exc.hint) from exc


async def _listed(ctx: Ctx) -> Text:
    emulation = (await ctx.tabs()).emulation
    facts: dict[str, Any] = {
        name: value
        for name, value in msgspec.to_builtins(emulation.now).items()
        if value != msgspec.to_builtins(Emulated())[name]
    }
    if emulation.screen != Screen():
        facts["viewport"] = str(emulation.screen)
    lines = [f"{name.replace('_', '-')}: {_shown(value)}" for name, value in facts.items()]
    return Text("\n".join(lines) or "(nothing is emulated)", {"emulated": facts})


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        down, up = (f"{value[way] / 125:.0f} kbit/s {way}" for way in ("down", "up"))
        return f"{down}, {up}, {value['latency_ms']:g} ms"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in value)
    return "on" if value is True else f"{value:g}" if isinstance(value, float) else str(value)


async def _devices(ctx: Ctx, part: str) -> Text:
    await ctx.tabs()
    rows = {
        name: values.device([name], ctx.session.devices)
        for name in ctx.session.devices
        if part.lower() in name.lower()
    }
    lines = [
        f"{name} — {screen}{', mobile' if screen.mobile else ''}{', touch' if it['touch'] else ''}"
        for name, (screen, it) in rows.items()
    ]
    return Text("\n".join(lines) or "(no device has that in its name)", {"devices": list(rows)})


async def _be_device(ctx: Ctx, words: tuple[str, ...]) -> Text:
    tabs = await ctx.tabs()
    screen, fields = values.device(words, ctx.session.devices)
    _resize_all(tabs, screen)
    done = f"Emulating device: {fields['device']} ({screen}); {LATER}"
    return await _change(ctx, done, fields)


async def _reset(ctx: Ctx) -> Text:
    _resize_all(await ctx.tabs(), Screen())
    fields = msgspec.structs.asdict(Emulated())
    return await _change(ctx, "Nothing is emulated any more", fields)


async def _end(ctx: Ctx, what: str) -> Text:
    plain = msgspec.structs.asdict(Emulated())
    names = ("device", "useragent", "touch") if what == "device" else (what.replace("-", "_"),)
    if what == "device":
        _resize_all(await ctx.tabs(), Screen())
    return await _change(ctx, f"No longer emulating {what}", {name: plain[name] for name in names})


async def _change(ctx: Ctx, done: str, fields: dict[str, Any]) -> Text:
    tabs = await ctx.tabs()
    silent = await tabs.emulate(**fields)
    lines = [f"Tab {tab.id} does not answer: it follows with its next page" for tab in silent]
    facts = {"emulated": msgspec.to_builtins(fields), "silent": [tab.id for tab in silent]}
    return Text("\n".join([done, *lines]), facts)


def _resize_all(tabs: Tabs, screen: Screen) -> None:
    tabs.emulation.screen = screen
    for tab in tabs.all():
        tab.screen = screen


def _take_none(what: str, words: tuple[str, ...]) -> None:
    if words:
        raise Usage(f"emulate: {what} takes no value", hint=f"browse emulate {what}")
