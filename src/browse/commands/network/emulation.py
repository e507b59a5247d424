"""Emulate another device, place or network."""

import asyncio
from typing import Annotated, Any

import msgspec

from browse.browser.emulation import values
from browse.browser.emulation.emulation import USUAL_SCREEN, EmulationSettings, ScreenMetrics
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Alias, ChangedTabs, Family, Group, Lane, command

LATER = "the page that is open sees it after `browse reload`"
EMULATE = Family(
    "emulate",
    Group.NETWORK,
    "Emulate another device, location, language or network.",
    """Applies to all tabs, also to those opened later. `off` instead of the value ends one
    emulation, `reset` ends all.
    """,
    default="list",
)


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False, changes=ChangedTabs.NONE)
async def emulate_list(ctx: Ctx) -> Text:
    """List what is emulated now.

    Examples:
        browse emulate
    """
    emulation = (await ctx.tabs()).emulation
    facts: dict[str, Any] = {
        name: value
        for name, value in msgspec.to_builtins(emulation.now).items()
        if value != msgspec.to_builtins(EmulationSettings())[name]
    }
    if emulation.screen != USUAL_SCREEN:
        facts["viewport"] = str(emulation.screen)
    lines = [f"{name.replace('_', '-')}: {_shown(value)}" for name, value in facts.items()]
    return Text("\n".join(lines) or "(nothing is emulated)", {"emulated": facts})


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set device"),),
)
async def emulate_device(
    ctx: Ctx, *name: Annotated[str, Doc("A name that `emulate devices` lists, or off.")]
) -> Text:
    """Emulate a device: its window size, touch screen and user agent.

    Examples:
        browse emulate device iPhone 15
        browse emulate device off
    """
    if _ends(name):
        _resize_all(await ctx.tabs(), USUAL_SCREEN)
        return await _end(ctx, "device", "device", "useragent", "touch")
    _need("device", name)
    tabs = await ctx.tabs()
    screen, fields = values.find_device(name, ctx.browser.devices)
    _resize_all(tabs, screen)
    done = f"Emulating device: {fields['device']} ({screen}); {LATER}"
    return await _change(ctx, done, fields)


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False, changes=ChangedTabs.NONE)
async def emulate_devices(
    ctx: Ctx, *part: Annotated[str, Doc("Only devices with this in their name.")]
) -> Text:
    """List the devices that can be emulated.

    Examples:
        browse emulate devices pixel
    """
    wanted = " ".join(part).lower()
    await ctx.tabs()
    rows = {
        name: values.find_device([name], ctx.browser.devices)
        for name in ctx.browser.devices
        if wanted in name.lower()
    }
    lines = [
        f"{name} — {screen}{', mobile' if screen.mobile else ''}{', touch' if it['touch'] else ''}"
        for name, (screen, it) in rows.items()
    ]
    return Text("\n".join(lines) or "(no device has that in its name)", {"devices": list(rows)})


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set geo"),),
)
async def emulate_geo(
    ctx: Ctx, *position: Annotated[str, Doc("", metavar="lat,lon[,metres]")]
) -> Text:
    """Set the geolocation: latitude, longitude, and optionally the accuracy in metres.

    Examples:
        browse emulate geo 48.8584,2.2945
        browse emulate geo off
    """
    return await _set(ctx, "geo", position)


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_locale(ctx: Ctx, tag: str) -> Text:
    """Set the locale: the language that is sent to servers and that pages see.

    Examples:
        browse emulate locale de-DE
        browse emulate locale off
    """
    return await _set(ctx, "locale", (tag,))


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_timezone(ctx: Ctx, id: str) -> Text:
    """Set the time zone.

    Examples:
        browse emulate timezone Europe/Berlin
        browse emulate timezone off
    """
    return await _set(ctx, "timezone", (id,))


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set-color-scheme"),),
)
async def emulate_color_scheme(
    ctx: Ctx, scheme: Annotated[str, Doc("", metavar="dark|light|no-preference")]
) -> Text:
    """Set the preferred color scheme: dark mode or light mode.

    Examples:
        browse emulate color-scheme dark
        browse emulate color-scheme off
    """
    return await _set(ctx, "color-scheme", (scheme,))


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set-reduced-motion"),),
)
async def emulate_reduced_motion(
    ctx: Ctx, motion: Annotated[str, Doc("", metavar="reduce|no-preference")]
) -> Text:
    """Set the preference for reduced motion.

    Examples:
        browse emulate reduced-motion reduce
        browse emulate reduced-motion off
    """
    return await _set(ctx, "reduced-motion", (motion,))


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set-media"),),
)
async def emulate_media(ctx: Ctx, kind: Annotated[str, Doc("", metavar="print|screen")]) -> Text:
    """Set the CSS media type: print or screen.

    Examples:
        browse emulate media print
        browse emulate media off
    """
    return await _set(ctx, "media", (kind,))


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_permissions(ctx: Ctx, *name: str) -> Text:
    """Grant pages these permissions and no others.

    Examples:
        browse emulate permissions geolocation notifications
        browse emulate permissions off
    """
    return await _set(ctx, "permissions", name)


@command(
    family=EMULATE,
    scope=Scope.ADMIN,
    lane=Lane.FREE,
    mutates=False,
    aliases=(Alias("set offline"),),
)
async def emulate_offline(ctx: Ctx, state: Annotated[str, Doc("", metavar="on|off")]) -> Text:
    """Go offline or online.

    Examples:
        browse emulate offline on
        browse emulate offline off
    """
    return await _set(ctx, "offline", (state,))


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_throttle(
    ctx: Ctx,
    *network: Annotated[
        str, Doc("In kbit/s and milliseconds.", metavar="slow-3g|fast-3g|4g|down,up,latency")
    ],
) -> Text:
    """Throttle the network: bandwidth and latency.

    Examples:
        browse emulate throttle slow-3g
        browse emulate throttle 1500,750,40
        browse emulate throttle off
    """
    return await _set(ctx, "throttle", network)


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_cpu(ctx: Ctx, slowdown: str) -> Text:
    """Slow down the CPU by a factor.

    Examples:
        browse emulate cpu 4
        browse emulate cpu off
    """
    return await _set(ctx, "cpu", (slowdown,))


@command(family=EMULATE, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def emulate_reset(ctx: Ctx) -> Text:
    """End all emulation, and reset the viewport and the user agent.

    Examples:
        browse emulate reset
    """
    _resize_all(await ctx.tabs(), USUAL_SCREEN)
    fields = msgspec.structs.asdict(EmulationSettings())
    return await _change(ctx, "Nothing is emulated any more", fields)


@command(group=Group.NETWORK, scope=Scope.ADMIN, lane=Lane.FREE, mutates=False)
async def useragent(
    ctx: Ctx,
    *words: str,
    reset: Annotated[bool, Doc("Restore the browser's own user agent.")] = False,
) -> Text:
    """Set the user agent of all tabs, as servers and pages see it.

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


async def _set(ctx: Ctx, what: str, words: tuple[str, ...]) -> Text:
    _need(what, words)
    if _ends(words):
        return await _end(ctx, what, what.replace("-", "_"))
    try:
        fields = await asyncio.to_thread(values.READERS[what], words)
    except Usage as exc:
        raise Usage(f"emulate {what}: {exc.message}", hint=exc.hint) from exc
    return await _change(ctx, f"Emulating {what}: {' '.join(words)}", fields)


def _need(what: str, words: tuple[str, ...]) -> None:
    if not words:
        raise Usage(f"emulate {what}: a value is missing", hint=f"see `browse help emulate {what}`")


def _ends(words: tuple[str, ...]) -> bool:
    return list(words) in (["off"], ["none"])


async def _end(ctx: Ctx, what: str, *fields: str) -> Text:
    plain = msgspec.structs.asdict(EmulationSettings())
    return await _change(ctx, f"No longer emulating {what}", {name: plain[name] for name in fields})


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        down, up = (f"{value[way] / 125:.0f} kbit/s {way}" for way in ("down", "up"))
        return f"{down}, {up}, {value['latency_ms']:g} ms"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in value)
    return "on" if value is True else f"{value:g}" if isinstance(value, float) else str(value)


async def _change(ctx: Ctx, done: str, fields: dict[str, Any]) -> Text:
    tabs = await ctx.tabs()
    silent = await tabs.emulate(**fields)
    lines = [f"Tab {tab.id} does not answer: it follows with its next page" for tab in silent]
    facts = {"emulated": msgspec.to_builtins(fields), "silent": [tab.id for tab in silent]}
    return Text("\n".join([done, *lines]), facts)


def _resize_all(tabs: Tabs, screen: ScreenMetrics) -> None:
    tabs.emulation.screen = screen
    for tab in tabs.all():
        tab.screen = screen
