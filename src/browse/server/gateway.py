"""Remote access: a second listener with a tunnel, open only while the owner wants it."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.types import ASGIApp

from browse.core import consent
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.guard.hosts import host_of
from browse.security.receipts import Receipts
from browse.server.embedded import Listening, serve
from browse.tunnel.choose import choose
from browse.tunnel.provider import Opened

log = logging.getLogger(__name__)


class _Open(msgspec.Struct, frozen=True):
    """A listener with its tunnel."""

    server: Listening
    tunnel: Opened
    provider: str
    since: str
    port: int


class Gateway:
    """Opens the tunnel when the owner asks; closes it when asked or when the tunnel ends."""

    def __init__(
        self,
        settings: Settings,
        paths: Paths,
        app: Callable[[], ASGIApp],
        changed: Callable[[dict[str, Any]], None],
    ) -> None:
        self._settings = settings
        self._paths = paths
        self._app = app
        self._changed = changed
        self._receipts = Receipts(paths.egress_receipts)
        self._lock = asyncio.Lock()
        self._open: _Open | None = None
        self._over = ""

    @property
    def url(self) -> str | None:
        """The public address of the tunnel; None while it is closed."""
        return self._open.tunnel.url if self._open else None

    def status(self) -> dict[str, Any]:
        """Return whether the tunnel is open, since when, or why it closed."""
        if self._open is None:
            return {"open": False, "url": None, "closed": self._over or None}
        return {
            "open": True,
            "url": self._open.tunnel.url,
            "provider": self._open.provider,
            "since": self._open.since,
            "port": self._open.port,
        }

    async def start(self) -> tuple[str, bool]:
        """Open the tunnel; return its address, and whether it was open already."""
        async with self._lock:
            if self._open:
                return self._open.tunnel.url, True
            opened = self._open = await self._bind_and_open(await self._consent())
        self._over = ""
        spawn(self._watch(opened), name="watch the tunnel")
        self._changed(self.status())
        return opened.tunnel.url, False

    async def _consent(self) -> str:
        """Return where the owner agreed; nothing has to be agreed to that stays on the machine."""
        if self._settings.tunnel_local_only:
            return "BROWSE_TUNNEL_LOCAL_ONLY"
        agreed = await asyncio.to_thread(consent.to_pairing, self._settings, self._paths)
        if not agreed.given:
            raise _not_agreed(agreed.source, str(self._paths.config_yaml))
        return agreed.source

    def begin(self) -> None:
        """Open the tunnel when the daemon starts, if the settings ask for it."""
        if self._settings.tunnel or self._settings.tunnel_local_only:
            spawn(self._start_unasked(), name="open the tunnel")

    async def _start_unasked(self) -> None:
        """Open the tunnel in the background; `status` reports an error."""
        try:
            await self.start()
        except BrowseError as exc:
            self._over = f"it could not be opened at the start: {exc.message} {exc.hint}"
            log.warning("BROWSE_TUNNEL: %s", self._over)

    async def stop(self, why: str = "it was stopped") -> bool:
        """Close the tunnel; return whether it was open."""
        async with self._lock:
            opened, self._open = self._open, None
        if opened is None:
            return False
        opened.server.close()
        self._over = why
        await opened.tunnel.close()
        self._changed(self.status())
        return True

    async def _bind_and_open(self, agreed_in: str) -> _Open:
        provider = choose(self._settings, self._paths)
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind(("127.0.0.1", 0))
        server = await serve(self._app(), listener)
        try:
            # First the receipt, then the tunnel: nothing leaves without a record.
            host = host_of(self._settings.tunnel_url) or provider.name
            await self._receipts.write(
                host=host, payload_class="browser-session", consent=agreed_in
            )
            port = listener.getsockname()[1]
            tunnel = await provider.open(port)
        except BaseException:
            server.close()
            raise
        return _Open(server, tunnel, provider.name, stamp(), port)

    async def _watch(self, opened: _Open) -> None:
        why = await opened.tunnel.wait_closed()
        if self._open is opened:
            log.warning("the tunnel is gone: %s", why)
            await self.stop(f"the tunnel is gone: {why}")


def _not_agreed(source: str, file: str) -> BrowseError:
    return BrowseError(
        Code.NO_CONSENT,
        f"Remote access is off: it was not turned on (looked in: {source}). No tunnel was opened.",
        hint=f"put the line `pair_agent: on` into {file}, or set GSTACK_PAIR_AGENT=on and restart",
    )
