"""The one way out of Chromium: it makes its connections through here, by SOCKS5 on loopback.

Names are resolved here, and every address is checked right before it is connected to, so the rules
hold for whatever a page does: redirects, frames, scripts, workers, names that change their address.
Plain requests to loopback go directly, because they are allowed and should cost nothing, unless
only some domains are allowed. WebSockets always come here, by an entrance of their own.
"""

import asyncio
import errno
import logging
import resource
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Literal

from browse.browser.network import socks_relay
from browse.browser.network.refusals import Refusal, Refusals
from browse.browser.network.resolver import Names
from browse.browser.network.socks_relay import Client, Half
from browse.core.tasks import spawn
from browse.guard.sites import Sites
from browse.guard.urls import Resolver, is_refused

log = logging.getLogger(__name__)
MAX_OPEN = 1_000
MAX_FILES = 4_096
CONNECT_S = 30.0
# How long an address may take before the next one is tried as well.
STAGGER_S = 0.25
Entrance = Literal["web", "websocket"]
Objection = Callable[[Entrance, str], Awaitable[str]]
# Chromium opens a few dozen connections to a proxy at most, so each scheme has a port of its own.
# For WebSockets it takes the proxy that is set for "socks".
_ENTRANCES: dict[str, Entrance] = {"http": "web", "https": "web", "socks": "websocket"}
_LOOPBACK = ("localhost", "*.localhost", "127.0.0.1", "[::1]")
_UNRESOLVED = ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {name.strip('[]')}" for name in _LOOPBACK)])
_METADATA = "it is, or leads to, a cloud metadata address"


async def _no_objection(_: Entrance, __: str) -> str:
    return ""


class Door:
    """Listeners on loopback, and the rules for who may pass."""

    def __init__(
        self, sites: Sites, refusals: Refusals, *, resolve: Resolver | None = None
    ) -> None:
        # Asked last, because it may wait: what the fences around tabs have to say.
        self.objection: Objection = _no_objection
        self.on_refused: Callable[[Entrance, str, int, Refusal], None] = lambda *_: None
        self._sites = sites
        self._refusals = refusals
        self._names = Names()
        self._resolve = resolve or self._names
        self._listeners: dict[str, asyncio.Server] = {}
        self._clients: set[Client] = set()

    async def open(self) -> None:
        """Begin to listen; cheap, and done before Chromium starts."""
        _make_room()
        for scheme, entrance in _ENTRANCES.items():
            self._listeners[scheme] = await self._listen(entrance)

    async def _listen(self, entrance: Entrance) -> asyncio.Server:
        async def arrive(client: Client, host: str, port: int) -> None:
            await self._arrive(entrance, client, host, port)

        def made() -> Client:
            client = Client(arrive, self._clients.discard)
            self._clients.add(client)
            return client

        return await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)

    def port(self, scheme: str) -> int:
        return int(self._listeners[scheme].sockets[0].getsockname()[1])

    def flags(self) -> list[str]:
        """Tell Chromium to use the door, and nothing beside it: no UDP, no names of its own."""
        proxies = ";".join(f"{it}=socks5://127.0.0.1:{self.port(it)}" for it in _ENTRANCES)
        # By itself, Chromium goes directly to loopback and to all link-local addresses.
        direct = [f"{scheme}://{name}" for scheme in ("http", "https") for name in _LOOPBACK]
        bypass = ";".join(["<-loopback>", *([] if self._sites.allowed else direct)])
        return [
            f"--proxy-server={proxies}",
            f"--proxy-bypass-list={bypass}",
            f"--host-resolver-rules={_UNRESOLVED}",
            # The second is what the headless shell goes by.
            "--webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--disable-quic",
        ]

    async def close(self) -> None:
        for listener in self._listeners.values():
            listener.close()
        for client in list(self._clients):
            if not client.lost:
                client.transport.abort()
        self._names.close()
        await asyncio.sleep(0)  # the turn of the loop in which they end

    async def _arrive(self, entrance: Entrance, client: Client, host: str, port: int) -> None:
        if len(self._clients) > MAX_OPEN:
            log.warning("more than %d connections are open; refusing one", MAX_OPEN)
            client.refuse(socks_relay.FAILED)
            return
        why = self._sites.objection(host) or (_METADATA if is_refused(host) else "")
        why = why or await self.objection(entrance, host)
        if why:
            self._refuse(entrance, client, host, port, Refusal(why))
            return
        try:
            async with asyncio.timeout(CONNECT_S):
                client.admit(await self._connect(host, port))
        except _Forbidden:
            self._refuse(entrance, client, host, port, Refusal(_METADATA))
        except (OSError, TimeoutError) as exc:
            self._refusals.note(host, Refusal("", _net_error(exc)))
            client.refuse(socks_relay.UNREACHABLE)

    def _refuse(
        self, entrance: Entrance, client: Client, host: str, port: int, refusal: Refusal
    ) -> None:
        self._refusals.note(host, refusal)
        self.on_refused(entrance, host, port, refusal)
        client.refuse(socks_relay.FORBIDDEN)

    async def _connect(self, host: str, port: int) -> Half:
        addresses = await self._addresses(host)
        if not addresses:
            raise _Unresolved
        if any(is_refused(address) for address in addresses):
            raise _Forbidden
        return await _first_of(addresses, port)

    async def _addresses(self, host: str) -> list[str]:
        with suppress(ValueError):
            return [str(ip_address(host))]
        if host == "localhost" or host.endswith(".localhost"):
            return ["127.0.0.1", "::1"]
        with suppress(OSError):  # what a resolver raises that finds nothing
            return await self._resolve(host)
        return []


def _make_room() -> None:
    """Allow this process two open files for each connection, where the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # then fewer connections must do
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _Forbidden(Exception):
    """One of a name's addresses is refused, and so is the name."""


class _Unresolved(OSError):
    """A name leads nowhere."""


async def _first_of(addresses: list[str], port: int) -> Half:
    """Connect to the address that answers first; a later one is tried when one is slow or fails."""
    waiting, pending = list(addresses), set[asyncio.Task[Half | OSError]]()
    problem = OSError()
    try:
        while waiting or pending:
            if waiting:
                pending.add(spawn(_dial(waiting.pop(0), port), name="dial"))
            done, pending = await asyncio.wait(
                pending,
                timeout=STAGGER_S if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in done:
                result = task.result()
                if isinstance(result, Half):
                    pending |= done - {task}
                    return result
                problem = result
        raise problem
    finally:
        for task in pending:
            task.cancel()
            task.add_done_callback(_hang_up)


async def _dial(address: str, port: int) -> Half | OSError:
    try:
        _, server = await asyncio.get_running_loop().create_connection(Half, address, port)
    except OSError as exc:
        return exc
    return server


def _hang_up(task: asyncio.Task[Half | OSError]) -> None:
    if not task.cancelled() and isinstance(half := task.result(), Half):
        half.transport.abort()


_NET_ERRORS = {
    errno.ECONNREFUSED: "ERR_CONNECTION_REFUSED",
    errno.ECONNRESET: "ERR_CONNECTION_RESET",
    errno.ETIMEDOUT: "ERR_CONNECTION_TIMED_OUT",
    errno.EHOSTUNREACH: "ERR_ADDRESS_UNREACHABLE",
    errno.ENETUNREACH: "ERR_ADDRESS_UNREACHABLE",
}


def _net_error(exc: OSError | TimeoutError) -> str:
    """Name a failure as Chromium would, had it made the connection itself."""
    if isinstance(exc, _Unresolved):
        return "ERR_NAME_NOT_RESOLVED"
    if isinstance(exc, TimeoutError) and exc.errno is None:
        return "ERR_CONNECTION_TIMED_OUT"
    return _NET_ERRORS.get(exc.errno or 0, "ERR_CONNECTION_FAILED")
