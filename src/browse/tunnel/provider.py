"""What a provider of tunnels is: it opens one to a port, tells its address and when it is gone."""

from typing import Protocol

OPEN_S = 30.0


class Opened(Protocol):
    """A tunnel that is open."""

    @property
    def url(self) -> str:
        """The address at which the port is reachable, without a slash at its end."""
        ...

    async def wait_closed(self) -> str:
        """Wait until the tunnel is gone, however that came; tell why, in words of ours."""
        ...

    async def close(self) -> None:
        """Take the tunnel down; nothing of it is left. Harmless when it is gone already."""
        ...


class Provider(Protocol):
    """One way to open a tunnel; `name` is the word of the setting."""

    name: str

    async def open(self, port: int) -> Opened:
        """Open a tunnel to a port on loopback; a BrowseError says why there is none in time."""
        ...
