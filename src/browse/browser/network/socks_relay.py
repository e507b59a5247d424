"""One connection through the SOCKS proxy: the SOCKS5 greeting, then bytes both ways."""

import asyncio
import struct
from collections.abc import Callable, Coroutine
from ipaddress import IPv4Address, IPv6Address
from typing import Any, cast

from browse.core.tasks import spawn

HANDSHAKE_S = 10.0
MAX_EARLY_BYTES = 65_536
OK, FAILED, FORBIDDEN, UNREACHABLE, REFUSED = 0, 1, 2, 4, 5
_NO_LOGIN = b"\x05\x00"
_NO_METHOD = b"\x05\xff"
_CONNECT = b"\x05\x01\x00"


def _reply(code: int) -> bytes:
    return bytes((5, code, 0, 1)) + bytes(6)


class Malformed(Exception):
    """The data is not SOCKS5."""


class RelayEnd(asyncio.Protocol):
    """One end: writes what it receives to the other end, with back-pressure."""

    def __init__(self) -> None:
        self.other: RelayEnd | None = None
        self.held = bytearray()  # what came before there was another end
        self.ended = False
        self.lost = False
        self._transport: asyncio.Transport | None = None

    @property
    def transport(self) -> asyncio.Transport:
        assert self._transport  # noqa: S101 - there is none only before `connection_made`
        return self._transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # all stream transports are

    def data_received(self, data: bytes) -> None:
        if self.other:
            self.other.transport.write(data)
        else:
            self.held += data

    def eof_received(self) -> bool:
        """Pass the end of the stream on; keep the other direction open until it ends too.

        TLS, which a proxy may speak, has no end of one direction.
        """
        self.ended = True
        if self.other and not self.other.lost:
            if self.other.transport.can_write_eof():
                self.other.transport.write_eof()
            else:
                self.other.transport.close()
        halves = self.transport.can_write_eof()
        return bool(halves and self.other and not self.other.ended)

    def pause_writing(self) -> None:
        if self.other and not self.other.lost:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other and not self.other.lost:
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if self.other and not self.other.lost:
            self.other.transport.close()


Arrive = Callable[["RelayClient", str, int], Coroutine[Any, Any, None]]
# Decides by the first bytes of the browser whether they go on; None until it can.
Screen = Callable[[bytes], bool | None]


class RelayClient(RelayEnd):
    """The browser's end: names a host, then waits until `arrive` admits or refuses it."""

    def __init__(self, arrive: Arrive, left: Callable[["RelayClient"], None]) -> None:
        super().__init__()
        self._arrive = arrive
        self._left = left
        self._early = bytearray()
        self._greeted = False
        self._asked = False
        self._screen: Screen | None = None
        self._task: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        loop = asyncio.get_running_loop()
        self._clock = loop.call_later(HANDSHAKE_S, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        if self.other and not self._screen:
            self.other.transport.write(data)
            return
        self._early += data
        if self._asked:
            if len(self._early) > MAX_EARLY_BYTES:
                self.transport.abort()
            elif self.other:
                self._pass_on()
            return
        try:
            self._read()
        except Malformed:
            self.refuse(FAILED)

    def _read(self) -> None:
        if not self._greeted:
            methods = self._greeting()
            if methods is None:
                return
            self._greeted = True
            if 0 not in methods:
                self.transport.write(_NO_METHOD)
                self.transport.close()
                return
            self.transport.write(_NO_LOGIN)
        if place := self._request():
            self._asked = True
            if self._clock:
                self._clock.cancel()
            self._task = spawn(self._arrive(self, *place), name="a connection")

    def _greeting(self) -> bytes | None:
        if not _CONNECT.startswith(self._early[:1]):
            raise Malformed
        if len(self._early) < 2 or len(self._early) < 2 + self._early[1]:
            return None
        return bytes(self._take(2 + self._early[1])[2:])

    def _request(self) -> tuple[str, int] | None:
        if not _CONNECT.startswith(bytes(self._early[:3])):
            raise Malformed
        if len(self._early) < 5:
            return None
        kind = self._early[3]
        length = {1: 4, 3: 1 + self._early[4], 4: 16}.get(kind)
        if length is None:
            raise Malformed
        if len(self._early) < 4 + length + 2:
            return None
        raw = bytes(self._take(4 + length + 2))
        port: int = struct.unpack(">H", raw[-2:])[0]
        return _host(kind, raw[4:-2]), port

    def _take(self, count: int) -> bytearray:
        taken = self._early[:count]
        del self._early[:count]
        return taken

    def admit(self, server: RelayEnd, screen: Screen | None = None) -> None:
        """Join the two ends; with a screen, the browser's first bytes wait until it decides."""
        if self.lost:
            server.transport.close()
            return
        self.other, server.other, self._screen = server, self, screen
        self.transport.write(_reply(OK) + bytes(server.held))
        self._pass_on()

    def _pass_on(self) -> None:
        first = bytes(self._early)
        verdict = self._screen(first) if self._screen else True
        if verdict is False:
            self.transport.abort()
        elif verdict and self.other:
            self._screen = None
            self._early.clear()
            self.other.transport.write(first)

    def refuse(self, code: int) -> None:
        """Reply with an error code and close."""
        if not self.lost:
            self.transport.write(_reply(code))
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._clock:
            self._clock.cancel()
        if self._task and not self.other:
            self._task.cancel()
        self._left(self)


def _host(kind: int, raw: bytes) -> str:
    if kind == 1:
        return str(IPv4Address(raw))
    if kind == 4:
        return str(IPv6Address(raw))
    try:
        return raw[1:].decode("ascii").lower().removesuffix(".")
    except UnicodeDecodeError:
        raise Malformed from None
