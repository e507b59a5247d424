"""Emulate devices, locales, networks: one set of settings, and what applies it to each page.

Nothing here creates a new browser context, so tabs, logins and refs stay. The settings apply to a
tab of ours before its first page loads, and to frames of other sites in it. To frames within these
and to a window that a page opens, they apply as soon as it exists, which may be after its first
script.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from playwright.async_api import BrowserContext, CDPSession, Page
from playwright.async_api import Error as DriverError

from browse.browser.cdp_sessions import set_in_others
from browse.browser.driver_errors import translated
from browse.browser.driver_messages import Meaning, means
from browse.browser.emulation.nested_frames import NestedFrames
from browse.browser.emulation.user_agents import user_agent_override
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

Params = dict[str, Any]
TOUCH_POINTS = 5


class ScreenMetrics(msgspec.Struct, frozen=True):
    """The size of a page's window in CSS pixels, its device scale factor, and if it is mobile."""

    width: int = 1280
    height: int = 720
    scale: float = 1.0
    mobile: bool = False

    def params(self) -> Params:
        wide = self.width > self.height
        return {
            "width": self.width,
            "height": self.height,
            "screenWidth": self.width,
            "screenHeight": self.height,
            "deviceScaleFactor": self.scale,
            "mobile": self.mobile,
            "screenOrientation": {
                "angle": 90 if wide and self.mobile else 0,
                "type": "landscapePrimary" if wide or not self.mobile else "portraitPrimary",
            },
        }

    def __str__(self) -> str:
        return f"{self.width}x{self.height}" + (f" @ {self.scale:g}x" if self.scale != 1 else "")


# What nobody has chosen: in a window, a page is as large as the window then. Known by identity, so
# that the same size can also be asked for.
USUAL_SCREEN = ScreenMetrics()


class Throttle(msgspec.Struct, frozen=True):
    """A slow network: bytes per second each way, and latency."""

    down: float = -1
    up: float = -1
    latency_ms: float = 0


class EmulationSettings(msgspec.Struct, frozen=True):
    """What is emulated besides the screen; the defaults emulate nothing."""

    device: str = ""
    useragent: str = ""
    touch: bool = False
    locale: str = ""
    timezone: str = ""
    color_scheme: str = ""
    reduced_motion: str = ""
    media: str = ""
    geo: tuple[float, float, float] | None = None
    permissions: tuple[str, ...] = ()
    offline: bool = False
    throttle: Throttle | None = None
    cpu: float = 1.0


def _network(now: EmulationSettings) -> Params:
    slow = now.throttle or Throttle()
    return {
        "offline": now.offline,
        "latency": slow.latency_ms,
        "downloadThroughput": slow.down,
        "uploadThroughput": slow.up,
    }


def _media(now: EmulationSettings) -> Params:
    wanted = (
        ("prefers-color-scheme", now.color_scheme),
        ("prefers-reduced-motion", now.reduced_motion),
    )
    features = [{"name": name, "value": value} for name, value in wanted if value]
    return {"media": now.media, "features": features}


def _touch(now: EmulationSettings) -> Params:
    return {"enabled": now.touch, **({"maxTouchPoints": TOUCH_POINTS} if now.touch else {})}


# Sent to a page and to the frames of other sites in it.
COMMANDS: dict[str, Callable[[EmulationSettings], Params]] = {
    "Emulation.setUserAgentOverride": lambda now: user_agent_override(now.useragent, now.locale),
    "Emulation.setLocaleOverride": lambda now: {"locale": now.locale} if now.locale else {},
    "Emulation.setTimezoneOverride": lambda now: {"timezoneId": now.timezone},
    "Emulation.setTouchEmulationEnabled": _touch,
    # Not through the driver: a second CDP session, such as ours, makes it lose the medium.
    "Emulation.setEmulatedMedia": _media,
    "Emulation.setCPUThrottlingRate": lambda now: {"rate": now.cpu},
    "Network.emulateNetworkConditions": _network,
}
SET_METRICS = "Emulation.setDeviceMetricsOverride"
CLEAR_METRICS = "Emulation.clearDeviceMetricsOverride"
DEFAULTS = {method: make(EmulationSettings()) for method, make in COMMANDS.items()}
ATTACH = "Target.setAutoAttach"
NO_FRAMES: Params = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": False}
FRAMES: Params = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": False,
    "filter": [{"type": "iframe"}],
}


class Emulation:
    """The emulation settings of a browser. New tabs start with them."""

    def __init__(self, context: BrowserContext) -> None:
        self.now = EmulationSettings()
        self.screen = USUAL_SCREEN
        self.headers: dict[str, str] = {}
        self._context = context

    async def change(self, **fields: Any) -> None:
        """Change settings, and apply those that concern the whole browser."""
        before, self.now = self.now, msgspec.structs.replace(self.now, **fields)
        try:
            await self._apply(self._context, before)
        except BrowseError:
            self.now = before
            raise

    async def join(self, context: BrowserContext) -> None:
        """Apply what concerns the whole browser to another browser context too."""
        await self._apply(context, EmulationSettings())
        if self.headers:
            with translated("setting the headers"):
                await context.set_extra_http_headers(self.headers)

    def move(self, context: BrowserContext) -> None:
        """Change this browser context from now on; it has joined before."""
        self._context = context

    async def _apply(self, context: BrowserContext, before: EmulationSettings) -> None:
        now = self.now
        with translated("emulating"):
            # First, because it may be refused: in a browser that is not ours.
            if (granted := _granted(now)) != _granted(before):
                await context.clear_permissions()
                if granted:  # granting an empty list would deny all
                    await context.grant_permissions(granted)
            if now.offline != before.offline:
                await context.set_offline(now.offline)
            if now.geo != before.geo:
                await context.set_geolocation(_position(now.geo) if now.geo else None)

    async def set_headers(self, headers: dict[str, str]) -> None:
        """Send these headers with every request from now on."""
        with translated("setting the headers"):
            await self._context.set_extra_http_headers(headers)
        self.headers = headers


def _position(geo: tuple[float, float, float]) -> Any:
    return {"latitude": geo[0], "longitude": geo[1], "accuracy": geo[2]}


def _granted(now: EmulationSettings) -> list[str]:
    """Return the permissions to grant; an emulated position implies `geolocation`."""
    return sorted({*now.permissions, *(["geolocation"] if now.geo else [])})


class Emulator:
    """Applies the settings to one page, sending only what has changed."""

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page = page
        self._session = session
        self._nested = NestedFrames(page, DEFAULTS)
        self._fits_window = page.viewport_size is None
        metrics: Params = {} if self._fits_window else USUAL_SCREEN.params()
        self._sent: dict[str, Params] = {**DEFAULTS, SET_METRICS: metrics}
        self._frames: set[str] = set()
        self._attaching = False
        self._turn = asyncio.Lock()
        session.on("Target.attachedToTarget", self._on_frame)
        session.on("Target.detachedFromTarget", self._on_frame_gone)

    async def apply(self, now: EmulationSettings, screen: ScreenMetrics) -> None:
        """Apply the settings; costs nothing if they are applied already."""
        async with self._turn:
            wanted = {method: make(now) for method, make in COMMANDS.items()}
            follows = self._fits_window and screen is USUAL_SCREEN
            wanted[SET_METRICS] = {} if follows else screen.params()
            changed = {method: it for method, it in wanted.items() if self._sent[method] != it}
            await asyncio.gather(*(self._send(method, it) for method, it in changed.items()))
            await self._attach_frames()
            if changed:
                await self._nested.apply({method: self._sent[method] for method in DEFAULTS})

    async def _send(self, method: str, params: Params) -> None:
        try:
            no_size = method == SET_METRICS and not params
            await self._session.send(CLEAR_METRICS if no_size else method, params)
        except DriverError as exc:
            if not means(exc.message, Meaning.SET_ELSEWHERE):
                raise
        await set_in_others(self._page, self._session, method, params)
        self._sent[method] = params
        if method != SET_METRICS:
            await asyncio.gather(*(self._send_to_frame(it, method, params) for it in self._frames))

    async def _attach_frames(self) -> None:
        """Attach to frames of other sites (separate processes) while anything is emulated."""
        matters = any(self._sent[method] != plain for method, plain in DEFAULTS.items())
        if matters != self._attaching:
            await self._session.send(ATTACH, FRAMES if matters else NO_FRAMES)
            self._attaching = matters

    def _on_frame(self, event: Params) -> None:
        self._frames.add(event["sessionId"])
        spawn(self._set_up_frame(event["sessionId"]), name="apply the emulation to a frame")

    def _on_frame_gone(self, event: Params) -> None:
        self._frames.discard(event["sessionId"])

    async def _set_up_frame(self, frame: str) -> None:
        """Send a new frame all settings; it waits for them before its first script."""
        for method, plain in DEFAULTS.items():
            if self._sent[method] != plain:
                await self._send_to_frame(frame, method, self._sent[method])
        await self._send_to_frame(frame, "Runtime.runIfWaitingForDebugger", {})

    async def _send_to_frame(self, frame: str, method: str, params: Params) -> None:
        message = msgspec.json.encode({"id": 1, "method": method, "params": params}).decode()
        with suppress(DriverError):  # the frame may have gone
            await self._session.send(
                "Target.sendMessageToTarget", {"sessionId": frame, "message": message}
            )
