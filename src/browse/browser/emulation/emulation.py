"""What a browser pretends to be: one description, and what brings each page in line with it.

Nothing here makes a new browser context, so tabs, logins and refs stay. A tab of ours is told
before its first page loads, and so are frames of other sites in it; a window that a page opens is
told as soon as it is there, which may be after its first script.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from playwright.async_api import BrowserContext, CDPSession
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import set_elsewhere, translated
from browse.browser.emulation.user_agents import override
from browse.core.tasks import spawn

Params = dict[str, Any]
TOUCH_POINTS = 5


class Screen(msgspec.Struct, frozen=True):
    """The size of a page's window in CSS pixels, and how many real ones each of them has."""

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


class Throttle(msgspec.Struct, frozen=True):
    """A slow network: bytes a second each way, and a delay."""

    down: float = -1
    up: float = -1
    latency_ms: float = 0


class Emulated(msgspec.Struct, frozen=True):
    """What is emulated besides the screen; the defaults are the browser as it is."""

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


def _network(now: Emulated) -> Params:
    slow = now.throttle or Throttle()
    return {
        "offline": now.offline,
        "latency": slow.latency_ms,
        "downloadThroughput": slow.down,
        "uploadThroughput": slow.up,
    }


def _media(now: Emulated) -> Params:
    wanted = (
        ("prefers-color-scheme", now.color_scheme),
        ("prefers-reduced-motion", now.reduced_motion),
    )
    features = [{"name": name, "value": value} for name, value in wanted if value]
    return {"media": now.media, "features": features}


def _touch(now: Emulated) -> Params:
    return {"enabled": now.touch, **({"maxTouchPoints": TOUCH_POINTS} if now.touch else {})}


# What a page and the frames of other sites in it are told.
COMMANDS: dict[str, Callable[[Emulated], Params]] = {
    "Emulation.setUserAgentOverride": lambda now: override(now.useragent, now.locale),
    "Emulation.setLocaleOverride": lambda now: {"locale": now.locale} if now.locale else {},
    "Emulation.setTimezoneOverride": lambda now: {"timezoneId": now.timezone},
    "Emulation.setTouchEmulationEnabled": _touch,
    # Not through the driver: a second session, such as ours, makes it forget the medium.
    "Emulation.setEmulatedMedia": _media,
    "Emulation.setCPUThrottlingRate": lambda now: {"rate": now.cpu},
    "Network.emulateNetworkConditions": _network,
}
METRICS = "Emulation.setDeviceMetricsOverride"
PLAIN = {method: make(Emulated()) for method, make in COMMANDS.items()}
ATTACH = "Target.setAutoAttach"
NO_FRAMES: Params = {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": False}
FRAMES: Params = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": False,
    "filter": [{"type": "iframe"}],
}


class Emulation:
    """What is emulated in a browser. New tabs start with it."""

    def __init__(self, context: BrowserContext) -> None:
        self.now = Emulated()
        self.screen = Screen()
        self.headers: dict[str, str] = {}
        self._context = context

    async def change(self, **fields: Any) -> None:
        """Change what is emulated, and do what concerns the browser as a whole."""
        before, self.now = self.now, msgspec.structs.replace(self.now, **fields)
        context, now = self._context, self.now
        with translated("emulating"):
            if now.offline != before.offline:
                await context.set_offline(now.offline)
            if now.geo != before.geo:
                await context.set_geolocation(_position(now.geo) if now.geo else None)
            if (granted := _granted(now)) != _granted(before):
                await context.clear_permissions()
                if granted:  # to grant none would deny all
                    await context.grant_permissions(granted)

    async def set_headers(self, headers: dict[str, str]) -> None:
        """Send these headers with every request from now on."""
        with translated("setting the headers"):
            await self._context.set_extra_http_headers(headers)
        self.headers = headers


def _position(geo: tuple[float, float, float]) -> Any:
    return {"latitude": geo[0], "longitude": geo[1], "accuracy": geo[2]}


def _granted(now: Emulated) -> list[str]:
    """A position that nobody may ask for would be of no use."""
    return sorted({*now.permissions, *(["geolocation"] if now.geo else [])})


class Emulator:
    """Tells one page what it has not been told yet."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._told: dict[str, Params] = {**PLAIN, METRICS: Screen().params()}
        self._frames: set[str] = set()
        self._attaching = False
        self._turn = asyncio.Lock()
        session.on("Target.attachedToTarget", self._on_frame)
        session.on("Target.detachedFromTarget", self._on_frame_gone)

    async def apply(self, now: Emulated, screen: Screen) -> None:
        """Bring the page in line; costs nothing when it is."""
        async with self._turn:
            wanted = {method: make(now) for method, make in COMMANDS.items()}
            wanted[METRICS] = screen.params()
            news = {method: it for method, it in wanted.items() if self._told[method] != it}
            await asyncio.gather(*(self._tell(method, it) for method, it in news.items()))
            await self._attach_frames()

    async def _tell(self, method: str, params: Params) -> None:
        try:
            await self._session.send(method, params)
        except DriverError as exc:
            if not set_elsewhere(exc):
                raise
        self._told[method] = params
        if method != METRICS:
            await asyncio.gather(*(self._tell_frame(it, method, params) for it in self._frames))

    async def _attach_frames(self) -> None:
        """Hear of frames of other sites, which have processes of their own, while it matters."""
        matters = any(self._told[method] != plain for method, plain in PLAIN.items())
        if matters != self._attaching:
            await self._session.send(ATTACH, FRAMES if matters else NO_FRAMES)
            self._attaching = matters

    def _on_frame(self, event: Params) -> None:
        self._frames.add(event["sessionId"])
        spawn(self._welcome(event["sessionId"]), name="tell a frame what is emulated")

    def _on_frame_gone(self, event: Params) -> None:
        self._frames.discard(event["sessionId"])

    async def _welcome(self, frame: str) -> None:
        """Tell a frame all of it; the frame waits for that before its first script."""
        for method, plain in PLAIN.items():
            if self._told[method] != plain:
                await self._tell_frame(frame, method, self._told[method])
        await self._tell_frame(frame, "Runtime.runIfWaitingForDebugger", {})

    async def _tell_frame(self, frame: str, method: str, params: Params) -> None:
        message = msgspec.json.encode({"id": 1, "method": method, "params": params}).decode()
        with suppress(DriverError):  # it may have gone meanwhile
            await self._session.send(
                "Target.sendMessageToTarget", {"sessionId": frame, "message": message}
            )
