"""Choose the provider that the settings ask for."""

import asyncio

from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.tunnel.account import Account
from browse.tunnel.address import AddressFinder
from browse.tunnel.command import CommandTunnel
from browse.tunnel.ngrok import NgrokTunnel
from browse.tunnel.provider import Opened, Provider


def choose(settings: Settings, paths: Paths) -> Provider:
    """Return the provider; what else it needs is checked when it opens a tunnel."""
    if settings.tunnel_local_only:
        return NoTunnel()
    match settings.tunnel_provider or ("command" if settings.tunnel_command else "ngrok"):
        case "none":
            return NoTunnel()
        case "command":
            if not settings.tunnel_command:
                raise BrowseError(
                    Code.SETTING_INVALID,
                    "BROWSE_TUNNEL_PROVIDER is command, and BROWSE_TUNNEL_COMMAND names none.",
                    hint="set it, such as 'cloudflared tunnel --url http://127.0.0.1:{port}', "
                    "and type `browse restart`",
                )
            finder = AddressFinder(settings.tunnel_url, settings.tunnel_url_pattern)
            return CommandTunnel(settings.tunnel_command, finder)
        case _:
            return NgrokTunnel(lambda: Account.find(settings, paths))


class NoTunnel:
    """The provider that opens nothing: the port is reachable from this machine only."""

    name = "none"

    async def open(self, port: int) -> Opened:
        return _Loopback(f"http://127.0.0.1:{port}")


class _Loopback:
    def __init__(self, url: str) -> None:
        self.url = url
        self._closed = asyncio.Event()

    async def wait_closed(self) -> str:
        await self._closed.wait()
        return "it was closed"

    async def close(self) -> None:
        self._closed.set()
