"""A tunnel by ngrok's own package, which is optional and imported only here, on use."""

import asyncio
import importlib
from collections.abc import Callable
from typing import Any

from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.tunnel.account import Account
from browse.tunnel.provider import OPEN_S

CLOSE_S = 5.0


class NgrokTunnel:
    """Opens tunnels with a token of an ngrok account; ngrok reconnects them by itself."""

    name = "ngrok"

    def __init__(
        self, account: Callable[[], Account], *, server: str = "", open_s: float = OPEN_S
    ) -> None:
        self._account = account
        self._server = server
        self._open_s = open_s

    async def open(self, port: int) -> "NgrokOpened":
        package = await asyncio.to_thread(_package)
        account = await asyncio.to_thread(self._account)
        stopped = asyncio.Event()
        session: Any = None
        try:
            async with asyncio.timeout(self._open_s):
                session = await self._connect(package, account, stopped)
                endpoint = session.http_endpoint()
                if account.domain:
                    endpoint = endpoint.domain(account.domain)
                listener = await endpoint.listen_and_forward(f"http://127.0.0.1:{port}")
        except BaseException as exc:
            if session:
                await _closed(session)
            # The package raises ValueError, and TimeoutError for its own limits.
            if isinstance(exc, ValueError | TimeoutError):
                raise self._no_tunnel(exc, account) from None  # the cause may repeat the token
            raise
        return NgrokOpened(session, listener, stopped)

    async def _connect(self, package: Any, account: Account, stopped: asyncio.Event) -> Any:
        loop = asyncio.get_running_loop()
        builder = package.SessionBuilder().authtoken(account.token)
        builder = builder.handle_stop_command(lambda: loop.call_soon_threadsafe(stopped.set))
        if self._server:
            builder = builder.server_addr(self._server)
        return await builder.connect()

    def _no_tunnel(self, exc: ValueError | TimeoutError, account: Account) -> BrowseError:
        late = f"no answer within {self._open_s:g} s"
        said = ": ".join(str(part).strip() for part in exc.args) or late
        return BrowseError(
            Code.TUNNEL,
            "There is no tunnel: ngrok did not open one.",
            hint="check the network, the token and the domain at https://dashboard.ngrok.com",
            page=said.replace(account.token, "****")[:500],
        )


class NgrokOpened:
    """A tunnel that lasts until it is closed here, or stopped at ngrok."""

    def __init__(self, session: Any, listener: Any, stopped: asyncio.Event) -> None:
        self.url: str = listener.url().rstrip("/")
        self._session = session
        self._stopped = stopped
        self._closed = asyncio.Event()
        self._over = spawn(self._watch(listener), name="watch the ngrok tunnel")

    async def wait_closed(self) -> str:
        return await asyncio.shield(self._over)

    async def close(self) -> None:
        self._closed.set()
        await _closed(self._session)
        await asyncio.wait({self._over}, timeout=CLOSE_S)

    async def _watch(self, listener: Any) -> str:
        reasons = {
            spawn(self._closed.wait(), name="ngrok: closed here"): "it was closed",
            spawn(self._stopped.wait(), name="ngrok: stopped there"): "ngrok was told to stop it",
            spawn(_joined(listener), name="ngrok: listener"): "ngrok ended it",
        }
        await asyncio.wait(reasons, return_when=asyncio.FIRST_COMPLETED)
        over = [why for task, why in reasons.items() if task.done()]
        for task in reasons:
            task.cancel()
        return over[0]


async def _joined(listener: Any) -> None:
    await listener.join()


async def _closed(session: Any) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await session.close()
    except (ValueError, TimeoutError):
        pass  # it is gone already, or goes with this process


def _package() -> Any:
    try:
        return importlib.import_module("ngrok")
    except ImportError as exc:
        raise BrowseError(
            Code.TUNNEL,
            "There is no tunnel: the ngrok package is not installed.",
            hint="type `pip install 'gstack-browse[ngrok]'` in the environment of browse, or use "
            "another program: BROWSE_TUNNEL_COMMAND='ssh -N -R 8080:127.0.0.1:{port} host'",
        ) from exc
