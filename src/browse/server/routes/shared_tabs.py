"""The WebSocket `/tabs`: tabs of a person's own browser, through our extension."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from browse.auth.caller import Caller
from browse.core.controls import encode_json
from browse.server.access import EndpointAccess, Socket
from browse.server.services import Services
from browse.server.sources import Sources

PATH, PROTOCOL = "/tabs", "browse-tabs"
NOT_WANTED, TAKEN = 4404, 4409


def socket(services: Services) -> Socket:
    """Build the WebSocket of shared tabs."""

    async def shared_tabs(connection: WebSocket, _: Caller) -> None:
        """Share tabs of a person's own browser with the daemon. Only for browse's extension.

        Text messages are JSON. From the extension: `{event: "hello", agent}` first, then
        `{event: "attached", tab, info}` and `{event: "detached", tab}`, `{event: "ready"}` when all
        tabs were told of, `{event: "cdp", tab, child, method, params}`, `{event: "ping"}`, and
        answers `{id, result}` or `{id, error}`. To it: `{id, op, …}` with `open` (`url`), `close`
        and `activate` (`tab`), `send` (`tab`, `child`, `method`, `params`). It is closed with 4404
        if the daemon has another browser, and with 4409 if another one shares its tabs already.
        """
        shared = services.shared_tabs
        if shared is None:
            await connection.close(NOT_WANTED, "Start the daemon with: browse --cdp extension")
            return
        if not await shared.is_free():
            await connection.close(TAKEN, "Another browser shares its tabs with this daemon.")
            return

        async def tell(said: dict[str, Any]) -> None:
            with suppress(WebSocketDisconnect):  # it has just left, which reading tells as well
                await connection.send_text(encode_json(said).decode())

        await shared.serve(tell, _said(connection))

    return Socket(PATH, EndpointAccess.OWNER, PROTOCOL, shared_tabs, Sources.EXTENSION)


async def _said(connection: WebSocket) -> AsyncIterator[dict[str, Any]]:
    while True:
        yield msgspec.json.decode(await connection.receive_text(), type=dict[str, Any])
