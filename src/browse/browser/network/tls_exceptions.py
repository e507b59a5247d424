"""Hosts whose certificate the daemon judges in Chromium's place: of the owner's CA, or ignored.

For these, and no others, TLS ends in the daemon and begins anew: towards the server with the rule
of the owner, towards Chromium with a key that only the daemon has. So the exception holds for one
host, whoever connects to it: page, frame, worker, download, WebSocket.
"""

import asyncio
import logging
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from browse.browser.network.socks_relay import RelayEnd
from browse.browser.network.tls_identity import TlsIdentity
from browse.browser.network.upstream_errors import UpstreamFailed
from browse.core.errors import BrowseError, Code, Usage
from browse.core.launching.launch_settings import LaunchSettings
from browse.core.tasks import spawn
from browse.guard import domains

log = logging.getLogger(__name__)
HANDSHAKE_S = 15.0
# How long a server is known to have no certificate of the owner's CA, or to speak no TLS.
KEPT_S = 300.0
MAX_KEPT = 1_000
_HANDSHAKE = b"\x16"
LOOPBACK = ("localhost", "*.localhost", "127.0.0.1", "::1")
Connect = Callable[[], Awaitable[RelayEnd]]


class TlsExceptions:
    """The owner's CA, if any, and the hosts whose certificates are not looked at."""

    def __init__(self, identity: TlsIdentity, ignored: tuple[str, ...] = (), ca: str = "") -> None:
        self._identity = identity
        self._made: dict[tuple[str, ...], tuple[ssl.SSLContext, ...]] = {}
        self._ignored = (*LOOPBACK, *ignored)
        self._ca = ca
        self._ordinary: dict[tuple[str, int], float] = {}
        self._unverified: set[str] = set()

    @classmethod
    def of(cls, settings: LaunchSettings, identity: Path) -> "TlsExceptions | None":
        """Read what the settings name; raise if the CA's file or a host cannot be used.

        Without a place for the key, and if nobody asked for an exception, there is none.
        """
        try:
            hosts = tuple(map(domains.parse, settings.ignore_tls))
        except Usage as exc:
            raise _invalid(f"--ignore-tls: {exc.message}", exc.hint) from exc
        ca = owners_ca(settings)
        try:
            return cls(TlsIdentity.load(identity), hosts, ca)
        except BrowseError as exc:
            if hosts or ca:
                raise
            log.warning("certificates of this machine are judged by Chromium: %s", exc.message)
            return None

    def flags(self) -> list[str]:
        """Return the flag that makes Chromium take the daemon's own certificate."""
        return [f"--ignore-certificate-errors-spki-list={self._identity.hash}"]

    def is_ignored(self, host: str) -> bool:
        return domains.covers(self._ignored, host)

    def warning(self, host: str) -> str:
        """Return a warning if the certificate of this host was not good and taken all the same."""
        if host not in self._unverified:
            return ""
        why = "on this machine" if domains.covers(LOOPBACK, host) else "named by --ignore-tls"
        return f"[warning] the TLS certificate of {host} is not trusted; taken because it is {why}"

    async def open(
        self, host: str, port: int, protocols: tuple[str, ...], connect: Connect
    ) -> RelayEnd:
        """Connect to a host, with TLS that ends here if there is an exception for it.

        Nothing is said to the server before Chromium has begun to speak TLS.
        """
        first = await connect()
        if not self._concerns(host, port):
            return first
        ours, inner = _socket_pair()
        _, near = await asyncio.get_running_loop().create_connection(RelayEnd, sock=ours)
        connection = _Connection(host, port, protocols, connect, first, inner)
        spawn(self._judge(connection), name="TLS that may end here")
        return near

    async def _judge(self, it: "_Connection") -> None:
        """Pass on what Chromium sends, judging the server's certificate in its place."""
        try:
            remote: RelayEnd | None = None
            if speaks_tls := await _first_byte(it.inner) == _HANDSHAKE:
                async with asyncio.timeout(HANDSHAKE_S):
                    remote = await self._trusted(it)
            if remote:
                chosen = remote.transport.get_extra_info("ssl_object").selected_alpn_protocol()
                await _join(it.inner, remote, self._identity.context(chosen))
                return
            if speaks_tls:
                self._is_ordinary(it.host, it.port)
                it.first = await it.connect()  # Chromium judges it, on a connection of its own
            await _join(it.inner, it.first, None)
        except (OSError, EOFError, UpstreamFailed) as exc:
            log.debug("a connection with TLS was not made: %s", type(exc).__name__)
            it.inner.close()
            it.first.transport.abort()

    async def _trusted(self, it: "_Connection") -> RelayEnd | None:
        """Speak TLS to the server; None if there is no reason to trust it."""
        connection: RelayEnd | None = it.first
        for context, verifies in self._contexts(it.host, it.protocols):
            try:
                remote = await _secured(connection or await it.connect(), context, it.host)
            except ssl.SSLCertVerificationError:
                connection = None
                continue
            except (ssl.SSLError, ConnectionResetError):
                return None  # Chromium says better what is wrong
            if not verifies:
                self._unverified.add(it.host)
            return remote
        return None

    def _is_ordinary(self, host: str, port: int) -> None:
        while len(self._ordinary) >= MAX_KEPT:
            del self._ordinary[next(iter(self._ordinary))]
        self._ordinary[host, port] = time.monotonic() + KEPT_S

    def _concerns(self, host: str, port: int) -> bool:
        if self.is_ignored(host):
            return True
        return bool(self._ca) and self._ordinary.get((host, port), 0.0) < time.monotonic()

    def _contexts(self, host: str, protocols: tuple[str, ...]) -> list[tuple[ssl.SSLContext, bool]]:
        """List what to try, with whether it verifies the server."""
        if protocols not in self._made:
            made = (_trusting_only(self._ca), ssl.create_default_context(), _trusting_anybody())
            for context in made:
                context.set_alpn_protocols(list(protocols))
            self._made[protocols] = made
        own, usual, anybody = self._made[protocols]
        if not self.is_ignored(host):
            return [(own, True)]
        if host in self._unverified:  # it would only be asked in vain
            return [(anybody, False)]
        tried = [(usual, True), (anybody, False)]
        return [(own, True), *tried] if self._ca else tried


class _Connection(msgspec.Struct):
    """A connection of Chromium's: to whom, and the socket in which its bytes come."""

    host: str
    port: int
    protocols: tuple[str, ...]
    connect: Connect
    first: RelayEnd
    inner: socket.socket


async def _first_byte(waiting: socket.socket) -> bytes:
    """Wait until something is sent, and look at it; raise EOFError if nothing will be."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(waiting, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(waiting)
    if not (found := waiting.recv(1, socket.MSG_PEEK)):
        raise EOFError
    return found


async def _join(inner: socket.socket, remote: RelayEnd, context: ssl.SSLContext | None) -> None:
    """Join what Chromium sends, out of its TLS if there is a context, with a server."""
    limit = HANDSHAKE_S if context else None
    try:
        _, plain = await asyncio.get_running_loop().connect_accepted_socket(
            RelayEnd, inner, ssl=context, ssl_handshake_timeout=limit
        )
    except OSError:  # Chromium went away
        remote.transport.abort()
        raise
    plain.other, remote.other = remote, plain
    remote.transport.write(bytes(plain.held))
    plain.transport.write(bytes(remote.held))
    if remote.lost:
        plain.transport.close()


async def _secured(plain: RelayEnd, context: ssl.SSLContext, host: str) -> RelayEnd:
    """Speak TLS on a connection; return its end for what is inside."""
    remote = RelayEnd()
    try:
        plain = await _without_tls(plain)
        transport = await asyncio.get_running_loop().start_tls(
            plain.transport, remote, context, server_hostname=host
        )
    except BaseException:
        plain.transport.abort()
        raise
    if transport is None:
        raise ConnectionResetError
    remote.connection_made(transport)
    return remote


async def _without_tls(end: RelayEnd) -> RelayEnd:
    """Return an end on a plain socket, also for a proxy that is spoken to by TLS.

    TLS within TLS is asyncio's, too, but a certificate that is not trusted makes it fail for good
    before Python 3.11.8.
    """
    if not end.transport.get_extra_info("ssl_object"):
        return end
    ours, inner = _socket_pair()
    await _join(inner, end, None)
    return (await asyncio.get_running_loop().create_connection(RelayEnd, sock=ours))[1]


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    pair = socket.socketpair()
    for it in pair:
        it.setblocking(False)
    return pair


def _trusting_only(ca: str) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if ca:
        made.load_verify_locations(cadata=ca)
    return made


def _trusting_anybody() -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    return made


def owners_ca(settings: LaunchSettings) -> str:
    """Read the certificate of --ca-cert, "" if there is none; raise if it cannot be used."""
    if not settings.ca_cert:
        return ""
    path = Path(settings.ca_cert).expanduser()
    try:
        if not (text := path.read_text("ascii")).strip():
            raise _unusable(path, "it is empty")
        _trusting_only(text)
    except OSError as exc:
        # An error of TLS is one of the system, too, and has no name of its own.
        why = "it holds no certificate" if isinstance(exc, ssl.SSLError) else exc.strerror
        raise _unusable(path, why or "it cannot be read") from None
    except ValueError:
        raise _unusable(path, "it holds no certificate in PEM form") from None
    return text


def _unusable(path: Path, why: str) -> BrowseError:
    hint = "name a file of certificates in PEM form; `browse stop` forgets what came as a flag"
    return _invalid(f"The certificate {path} of --ca-cert cannot be used: {why}.", hint)


def _invalid(message: str, hint: str) -> BrowseError:
    return BrowseError(Code.SETTING_INVALID, message, hint=hint)
