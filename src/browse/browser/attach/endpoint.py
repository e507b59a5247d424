"""Where a browser that is not ours listens: `http://host:port`, or the address of its WebSocket.

An address may hold a key, as those of browsers in a cloud do. So errors and replies name only the
host and the port of it.
"""

import asyncio
import http.client
from contextlib import closing
from urllib.parse import urlsplit

import msgspec

from browse.core.errors import BrowseError, Code

ASK_S = 10.0
MAX_BYTES = 65_536
START = (
    "start it with --remote-debugging-port=<port> and a --user-data-dir of its own, and give that"
    " port: `browse --cdp <port> status`; `browse stop` goes back to a browser of browse's own"
)


class _Version(msgspec.Struct, rename="pascal"):
    browser: str = ""
    socket: str = msgspec.field(default="", name="webSocketDebuggerUrl")


def shown(address: str) -> str:
    """Return what may be said of an address: its host and its port."""
    return urlsplit(address).netloc.rpartition("@")[2]


def unusable(address: str, why: str, hint: str = START) -> BrowseError:
    """Build the error for an address at which there is no browser to attach to."""
    return BrowseError(
        Code.BROWSER_START, f"browse cannot attach to {shown(address)}: {why}.", hint=hint
    )


async def socket_address(address: str) -> str:
    """Return the address of a browser's WebSocket; raise if there is no browser."""
    if urlsplit(address).scheme in ("ws", "wss"):
        return address
    status, body = await asyncio.to_thread(_ask, address)
    try:
        said = msgspec.json.decode(body, type=_Version)
    except msgspec.MsgspecError as exc:
        why = f"what answers there is no browser (/json/version has status {status})"
        raise unusable(address, why) from exc
    if not said.socket.startswith(("ws://", "wss://")):
        named = f" but {said.browser[:40]!r}" if said.browser.isprintable() and said.browser else ""
        raise unusable(address, f"what answers there is no browser{named}")
    return said.socket


def _ask(address: str) -> tuple[int, bytes]:
    """Ask a browser for its version, over HTTP."""
    parts = urlsplit(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    path = f"{parts.path.rstrip('/')}/json/version"
    try:
        with closing(kind(parts.hostname or "", parts.port, timeout=ASK_S)) as connection:
            connection.request("GET", f"{path}?{parts.query}" if parts.query else path)
            reply = connection.getresponse()
            return reply.status, reply.read(MAX_BYTES)
    except TimeoutError as exc:
        raise unusable(address, f"it has not answered for {ASK_S:g} s") from exc
    except (OSError, http.client.HTTPException) as exc:
        refused = isinstance(exc, ConnectionRefusedError)
        why = "nothing listens there" if refused else f"it does not answer ({type(exc).__name__})"
        raise unusable(address, why) from exc
