"""The interface of providers: open a tunnel to a port, report its address and its end."""

from typing import Protocol

OPEN_S = 30.0


class Opened(Protocol):
    """An open tunnel."""

    @property
    def url(self) -> str:
        """The address at which the port is reachable, without a slash at its end."""
        ...

    async def wait_closed(self) -> str:
        """Wait until the tunnel is gone, for whatever reason; return why, in words of ours."""
        ...

    async def close(self) -> None:
        """Close the tunnel completely. Harmless when it is gone already."""
        ...


class Provider(Protocol):
    """One way to open a tunnel; `name` is the word in the setting."""

    name: str

    async def open(self, port: int) -> Opened:
        """Open a tunnel to a port on loopback; raise a BrowseError if there is none in time."""
        ...
