"""The ports at which a browser that is not ours listens for programs: closed to our tabs in it.

Who reaches one has all of that browser. It lists the person's tabs and closes them by a plain GET,
and lets a page that was loaded from it command the browser over a WebSocket.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import msgspec

from browse.guard.hosts import place_of

CLOSED = "the browser listens for programs there"
_FLAG = re.compile(r"--remote-debugging-port=([1-9][0-9]{0,4})(?![0-9])")
# Returns the addresses of a host.
LookUp = Callable[[str], Awaitable[Sequence[str]]]


class DebuggingPorts(msgspec.Struct, frozen=True):
    """Places as host and port, by name and by address; and ports of the browser's own machine."""

    places: frozenset[tuple[str, str]] = frozenset()
    near: frozenset[str] = frozenset()

    def closes(self, host: str, port: str, addresses: Sequence[str]) -> bool:
        """Check whether the browser listens at a port of a host that has these addresses."""
        known = any((it, port) in self.places for it in (host, *addresses))
        # The machine has names and addresses that we do not know, but none of them is public.
        return known or (port in self.near and not all(map(_is_public, addresses)))


async def ports_of(addresses: Sequence[str], command_line: str, look_up: LookUp) -> DebuggingPorts:
    """Tell a browser's ports from the addresses that lead to it, and from how it was started."""
    places, near = set[tuple[str, str]](), set(_FLAG.findall(command_line))
    for host, port in map(place_of, addresses):
        found = await look_up(host)
        if any(_read(it).is_loopback for it in found):
            near.add(port)
        # Public addresses may be of a service that many others use, too.
        places.update((it, port) for it in (host, *found) if it == host or not _is_public(it))
    return DebuggingPorts(frozenset(places), frozenset(near))


def _read(address: str) -> IPv4Address | IPv6Address:
    return ip_address(address.partition("%")[0])


def _is_public(address: str) -> bool:
    return _read(address).is_global
