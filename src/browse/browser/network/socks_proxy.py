"""The SOCKS5 proxy on loopback that Chromium uses for all its connections.

Names are resolved here, and every address is checked right before it is connected to, so the rules
hold for whatever a page does: redirects, frames, scripts, workers, names that change their address.
Requests by http to loopback go directly, because they are allowed and should cost nothing, unless
only some domains are allowed. WebSockets always come here, on a port of their own. WebRTC over TCP
comes here as https does; while there are request rules, which it does not obey, it ends here.
With a proxy of the owner's (`upstream.py`), what passed the rules goes there.
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
from browse.browser.network.client_hello import speaks_http
from browse.browser.network.debugging_ports import CLOSED, DebuggingPorts
from browse.browser.network.refusals import Refusal, Refusals
from browse.browser.network.socks_relay import RelayClient, RelayEnd
from browse.browser.network.tls_exceptions import TlsExceptions
from browse.browser.network.upstream import Upstream
from browse.browser.network.upstream_errors import ProxyTrouble, UpstreamFailed
from browse.core.tasks import spawn
from browse.guard.hosts import place_of
from browse.guard.resolver import Resolver, system_resolver
from browse.guard.sites import Sites
from browse.guard.urls import is_refused

log = logging.getLogger(__name__)
MAX_OPEN = 1_000
MAX_FILES = 4_096
CONNECT_S = 30.0
# How long an address may take before the next one is tried as well.
STAGGER_S = 0.25
Entrance = Literal["web", "websocket"]
Objection = Callable[[Entrance, str], Awaitable[str]]
OnRefused = Callable[[Entrance, str, int, Refusal], None]
# Chromium opens a few dozen connections to a proxy at most, so each scheme has a port of its own.
# For WebSockets it takes the proxy that is set for "socks".
_ENTRANCES: dict[str, Entrance] = {"http": "web", "https": "web", "socks": "websocket"}
_LOOPBACK = ("localhost", "*.localhost", "127.0.0.1", "[::1]")
_UNRESOLVED = ", ".join(["MAP * ~NOTFOUND", *(f"EXCLUDE {name.strip('[]')}" for name in _LOOPBACK)])
_METADATA = "it is, or leads to, a cloud metadata address"


class SocksProxy:
    """Listeners on loopback, and the rules for what may be connected to."""

    def __init__(
        self,
        sites: Sites,
        refusals: Refusals,
        *,
        objection: Objection,
        on_refused: OnRefused,
        has_rules: Callable[[], bool] = lambda: False,
        resolve: Resolver = system_resolver,
        upstream: Upstream | None = None,
        find_tls: Callable[[], TlsExceptions | None] = lambda: None,
    ) -> None:
        self._find_tls = find_tls
        self._tls: TlsExceptions | None = None
        self._objection = objection  # called last, because it may wait
        self._on_refused = on_refused
        self._has_rules = has_rules
        self._sites = sites
        self._refusals = refusals
        self.resolve = resolve
        self.upstream = upstream
        self._listeners: dict[str, asyncio.Server] = {}
        self._clients: set[RelayClient] = set()

    @property
    def is_open(self) -> bool:
        return bool(self._listeners)

    async def open(self) -> None:
        """Start to listen; cheap, and done before Chromium starts."""
        _make_room()
        self._tls = await asyncio.to_thread(self._find_tls)
        for scheme in _ENTRANCES:
            self._listeners[scheme] = await self._listen(scheme)

    async def _listen(self, scheme: str) -> asyncio.Server:
        screen = speaks_http if scheme == "https" else None

        async def arrive(client: RelayClient, host: str, port: int) -> None:
            if server := await self._arrive(scheme, client, host, port):
                client.admit(server, screen if self._has_rules() else None)

        def made() -> RelayClient:
            client = RelayClient(arrive, self._clients.discard)
            self._clients.add(client)
            return client

        return await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)

    def port(self, scheme: str) -> int:
        return int(self._listeners[scheme].sockets[0].getsockname()[1])

    def flags(self) -> list[str]:
        """Return the flags that make Chromium use the proxy only: no UDP, no resolver."""
        proxies = ";".join(f"{it}=socks5://127.0.0.1:{self.port(it)}" for it in _ENTRANCES)
        # By itself, Chromium goes directly to loopback and to all link-local addresses.
        direct = [f"http://{name}" for name in _LOOPBACK]
        bypass = ";".join(["<-loopback>", *([] if self._sites.allowed else direct)])
        return [
            f"--proxy-server={proxies}",
            f"--proxy-bypass-list={bypass}",
            f"--host-resolver-rules={_UNRESOLVED}",
            *(self._tls.flags() if self._tls else ()),
            # The headless shell reads the second one.
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
        await asyncio.sleep(0)  # one turn of the loop, in which they end

    def tls_warning(self, host: str) -> str:
        """Return a warning if the certificate of this host was taken though it was not good."""
        return self._tls.warning(host) if self._tls else ""

    async def objection(self, url: str, ports: DebuggingPorts) -> str:
        """Return why a browser that does not use the proxy may not load a web address, or ""."""
        host, port = place_of(url)
        if not host:
            return ""
        if why := self._refusal(host):
            return why
        addresses = await self.addresses(host)
        if any(is_refused(address) for address in addresses):
            return _METADATA
        return CLOSED if ports.closes(host, port, addresses) else ""

    def _refusal(self, host: str) -> str:
        return self._sites.objection(host) or (_METADATA if is_refused(host) else "")

    async def _arrive(
        self, scheme: str, client: RelayClient, host: str, port: int
    ) -> RelayEnd | None:
        """Connect to a host, or refuse it."""
        entrance = _ENTRANCES[scheme]
        if len(self._clients) > MAX_OPEN:
            log.warning("more than %d connections are open; refusing one", MAX_OPEN)
            client.refuse(socks_relay.FAILED)
            return None
        if why := self._refusal(host) or await self._objection(entrance, host):
            self._refuse(entrance, client, host, port, Refusal(why))
            return None
        try:
            async with asyncio.timeout(CONNECT_S):
                return await self._secured(scheme, host, port)
        except _Forbidden:
            self._refuse(entrance, client, host, port, Refusal(_METADATA))
        except UpstreamFailed as exc:
            why = exc.trouble.about(self.upstream.proxy) if self.upstream else ""
            self._refusals.note(host, Refusal(why, exc.trouble.net))
            client.refuse(socks_relay.UNREACHABLE)
        except (OSError, TimeoutError) as exc:
            self._refusals.note(host, Refusal("", _net_error(exc)))
            client.refuse(socks_relay.UNREACHABLE)
        return None

    def _refuse(
        self, entrance: Entrance, client: RelayClient, host: str, port: int, refusal: Refusal
    ) -> None:
        self._refusals.note(host, refusal)
        self._on_refused(entrance, host, port, refusal)
        client.refuse(socks_relay.FORBIDDEN)

    async def _secured(self, scheme: str, host: str, port: int) -> RelayEnd:
        """Connect; for some hosts TLS ends here (`tls_exceptions.py`)."""
        if self._tls is None or scheme == "http":
            return await self._connect(host, port)
        protocols = ("h2", "http/1.1") if scheme == "https" else ("http/1.1",)
        return await self._tls.open(host, port, protocols, lambda: self._connect(host, port))

    async def _connect(self, host: str, port: int) -> RelayEnd:
        upstream = self.upstream
        if upstream and upstream.looks_up and not upstream.bypasses(host):
            return await upstream.connect(host, port)
        addresses = await self.addresses(host)
        if not addresses:
            raise _Unresolved
        if any(is_refused(address) for address in addresses):
            raise _Forbidden
        if upstream and not upstream.bypasses(host, *addresses):
            return await _through(upstream, addresses, port)
        return await _first_of(addresses, port)

    async def addresses(self, host: str) -> list[str]:
        """Look up a host, which may be an address; nothing if it has none."""
        with suppress(ValueError):
            return [str(ip_address(host))]
        if host == "localhost" or host.endswith(".localhost"):
            return ["127.0.0.1", "::1"]
        with suppress(OSError):  # the resolver found nothing
            return await self.resolve(host)
        return []


def _make_room() -> None:
    """Raise the limit of open files to two for each connection, if the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # then there are fewer connections
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _Forbidden(Exception):
    """One of a name's addresses is refused, so the name is refused."""


class _Unresolved(OSError):
    """A name does not resolve."""


async def _through(upstream: Upstream, addresses: list[str], port: int) -> RelayEnd:
    """Connect through a proxy to the first address that it reaches; it may have IPv4 only."""
    problem = UpstreamFailed(ProxyTrouble.NOT_CONNECTED)
    for address in sorted(addresses, key=lambda it: ":" in it):
        try:
            return await upstream.connect(address, port)
        except UpstreamFailed as exc:
            problem = exc
            if exc.trouble.is_fatal:
                break
    raise problem


async def _first_of(addresses: list[str], port: int) -> RelayEnd:
    """Connect to the address that answers first; try the next when one is slow or fails."""
    waiting, pending = list(addresses), set[asyncio.Task[RelayEnd | OSError]]()
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
                if isinstance(result, RelayEnd):
                    pending |= done - {task}
                    return result
                problem = result
        raise problem
    finally:
        for task in pending:
            task.cancel()
            task.add_done_callback(_hang_up)


async def _dial(address: str, port: int) -> RelayEnd | OSError:
    try:
        _, server = await asyncio.get_running_loop().create_connection(RelayEnd, address, port)
    except OSError as exc:
        return exc
    return server


def _hang_up(task: asyncio.Task[RelayEnd | OSError]) -> None:
    if not task.cancelled() and isinstance(half := task.result(), RelayEnd):
        half.transport.abort()


_NET_ERRORS = {
    errno.ECONNREFUSED: "ERR_CONNECTION_REFUSED",
    errno.ECONNRESET: "ERR_CONNECTION_RESET",
    errno.ETIMEDOUT: "ERR_CONNECTION_TIMED_OUT",
    errno.EHOSTUNREACH: "ERR_ADDRESS_UNREACHABLE",
    errno.ENETUNREACH: "ERR_ADDRESS_UNREACHABLE",
}


def _net_error(exc: OSError | TimeoutError) -> str:
    """Return the error that Chromium would name, had it made the connection itself."""
    if isinstance(exc, _Unresolved):
        return "ERR_NAME_NOT_RESOLVED"
    if isinstance(exc, TimeoutError) and exc.errno is None:
        return "ERR_CONNECTION_TIMED_OUT"
    return _NET_ERRORS.get(exc.errno or 0, "ERR_CONNECTION_FAILED")
