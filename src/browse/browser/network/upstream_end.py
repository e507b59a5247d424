"""The end of a connection that leads to a proxy: its greeting, by SOCKS5 or by HTTP.

The protocols are those of `socksio` and `h11`; the bytes pass as in any other relay afterwards.
"""

import asyncio
from base64 import b64encode
from contextlib import suppress

import h11
from socksio import (
    ProtocolError,
    SOCKS5AuthMethod,
    SOCKS5AuthMethodsRequest,
    SOCKS5Command,
    SOCKS5CommandRequest,
    SOCKS5Connection,
    SOCKS5UsernamePasswordRequest,
)
from socksio.socks5 import SOCKS5State, SOCKS5UsernamePasswordReply

from browse.browser.network.socks_relay import RelayEnd
from browse.browser.network.upstream_errors import (
    HTTP_STATUSES,
    SOCKS_REPLIES,
    ProxyTrouble,
    UpstreamFailed,
)
from browse.core.launching.proxy_address import ProxyAddress

MAX_HEAD_BYTES = 16_384
_SOCKS_5 = 5
_NAME = 3
_ADDRESS_BYTES = {1: 4, 4: 16}
_PROXY_LOGIN = 407


class UpstreamEnd(RelayEnd):
    """A connection to a proxy, which is read piece by piece until it is joined."""

    def __init__(self) -> None:
        super().__init__()
        self._news = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._news.set()

    def eof_received(self) -> bool:
        self._news.set()
        return super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._news.set()

    async def _more(self) -> None:
        """Wait for more bytes; raise if none will come."""
        if self.ended or self.lost:
            raise UpstreamFailed(ProxyTrouble.CLOSED)
        self._news.clear()
        await self._news.wait()

    async def take(self, count: int) -> bytes:
        """Return the next bytes, exactly so many."""
        while len(self.held) < count:
            await self._more()
        taken = bytes(self.held[:count])
        del self.held[:count]
        return taken

    async def greet(self, proxy: ProxyAddress, host: str, port: int) -> None:
        """Have the proxy connect to a host; raise `UpstreamFailed` if it does not."""
        if proxy.scheme.startswith("socks"):
            await self._by_socks(proxy, host, port)
        else:
            await self._by_http(proxy, host, port)

    async def _by_socks(self, proxy: ProxyAddress, host: str, port: int) -> None:
        talk = SOCKS5Connection()
        try:
            await self._log_in(talk, proxy.login)
            talk.send(SOCKS5CommandRequest.from_address(SOCKS5Command.CONNECT, (host, port)))
            self.transport.write(talk.data_to_send())
            talk.receive_data(await self._socks_reply())
        except ProtocolError:
            raise UpstreamFailed(ProxyTrouble.SPEECH) from None

    async def _log_in(self, talk: SOCKS5Connection, login: tuple[str, str] | None) -> None:
        methods = [SOCKS5AuthMethod.NO_AUTH_REQUIRED]
        if login:
            methods.append(SOCKS5AuthMethod.USERNAME_PASSWORD)
        talk.send(SOCKS5AuthMethodsRequest(methods))
        self.transport.write(talk.data_to_send())
        raw = await self.take(2)
        if raw[0] != _SOCKS_5:
            raise UpstreamFailed(ProxyTrouble.SPEECH)
        talk.receive_data(raw)
        if talk.state is SOCKS5State.CLIENT_AUTHENTICATED:
            return
        if not login or talk.state is not SOCKS5State.CLIENT_WAITING_FOR_USERNAME_PASSWORD:
            raise UpstreamFailed(ProxyTrouble.LOGIN if login else ProxyTrouble.NEEDS_LOGIN)
        user, password = login
        talk.send(SOCKS5UsernamePasswordRequest(user.encode(), password.encode()))
        self.transport.write(talk.data_to_send())
        answer: object = None
        with suppress(UpstreamFailed):  # some close the connection instead of an answer
            answer = talk.receive_data(await self.take(2))
        if not isinstance(answer, SOCKS5UsernamePasswordReply) or not answer.success:
            raise UpstreamFailed(ProxyTrouble.LOGIN)

    async def _socks_reply(self) -> bytes:
        """Return the reply to a request to connect, if it is a good one."""
        version, code, *_ = head = await self.take(4)
        if version != _SOCKS_5:
            raise UpstreamFailed(ProxyTrouble.SPEECH)
        if code:
            raise UpstreamFailed(SOCKS_REPLIES.get(code, ProxyTrouble.NOT_CONNECTED))
        if head[3] == _NAME:
            size = await self.take(1)
            return head + size + await self.take(size[0] + 2)
        return head + await self.take(_ADDRESS_BYTES.get(head[3], 0) + 2)

    async def _by_http(self, proxy: ProxyAddress, host: str, port: int) -> None:
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        headers = [("host", place)]
        if proxy.login:
            word = b64encode(":".join(proxy.login).encode()).decode()
            headers.append(("proxy-authorization", f"Basic {word}"))
        talk = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
        asked = h11.Request(method="CONNECT", target=place, headers=headers)
        self.transport.write(talk.send(asked) or b"")
        try:
            while (event := talk.next_event()) is h11.NEED_DATA:
                talk.receive_data(await self._next())
        except h11.RemoteProtocolError:
            raise UpstreamFailed(ProxyTrouble.SPEECH) from None
        status = event.status_code if isinstance(event, h11.Response) else 0
        if status == _PROXY_LOGIN:
            raise UpstreamFailed(ProxyTrouble.LOGIN if proxy.login else ProxyTrouble.NEEDS_LOGIN)
        if not 200 <= status < 300:
            raise UpstreamFailed(HTTP_STATUSES.get(status, ProxyTrouble.NOT_CONNECTED))
        self.held += talk.trailing_data[0]

    async def _next(self) -> bytes:
        """Return the bytes that have come, or come next; all of them."""
        while not self.held:
            await self._more()
        return await self.take(len(self.held))
