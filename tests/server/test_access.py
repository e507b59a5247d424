"""Endpoints and sockets on a real listener: who gets to a handler, and how it ends."""

import asyncio
import socket

import httpx
import pytest
from starlette.routing import Router
from starlette.websockets import WebSocket
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from browse.auth.caller import Caller
from browse.auth.rates import Rates
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import Tokens
from browse.core.extension_id import ORIGIN
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess, Socket, mount
from browse.server.embedded import Listening, serve
from browse.server.identify import Identify
from browse.server.middleware import LocalMiddleware
from browse.server.sources import Sources

TOKEN = "the-token-of-the-owner"


class Site:
    """A listener with one endpoint and one socket for the live view."""

    def __init__(self) -> None:
        self.tickets = Tickets()
        self.got: list[str] = []
        self.server: Listening
        self.port = 0

    async def open(self) -> None:
        async def facts(_, caller: Caller) -> reply.Reply:
            return reply.facts({"owner": caller.is_owner})

        async def echo(ws: WebSocket, caller: Caller) -> None:
            assert caller.is_owner
            while (said := await ws.receive_text()) != "end":
                self.got.append(said)
                if said == "break":
                    raise KeyError("inner workings")
                await ws.send_text(said)

        both = Sources.OWN_PAGES | Sources.EXTENSION
        routes = mount(
            [Endpoint("GET", "/facts", EndpointAccess.VIEW, facts, both)],
            Identify(Tokens(TOKEN), Rates(), self.tickets),
            [Socket("/ws", EndpointAccess.VIEW, "gstack-view", echo, both)],
        )
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setblocking(False)
        self.port = listener.getsockname()[1]
        app = LocalMiddleware(Router(routes, redirect_slashes=False))
        self.server = await serve(app, listener)

    async def socket(self, ticket: str, origin: str = "", path: str = "/ws") -> ClientConnection:
        named = [Subprotocol(f"gstack-view.{ticket}")] if ticket else None
        shown = Origin(origin or f"http://127.0.0.1:{self.port}")
        address = f"ws://127.0.0.1:{self.port}{path}"
        return await connect(address, subprotocols=named, origin=shown, proxy=None)

    async def refusal(self, *args: str, **more: str) -> int:
        with pytest.raises(InvalidStatus) as caught:
            await self.socket(*args, **more)
        return caught.value.response.status_code


@pytest.fixture
async def site():
    made = Site()
    await made.open()
    yield made
    made.server.close()
    await asyncio.sleep(0)


async def test_a_socket_speaks_the_one_protocol_with_its_ticket(site):
    ticket = site.tickets.issue(TicketKind.VIEW)

    async with await site.socket(ticket) as ws:
        await ws.send("hello")

        assert await ws.recv() == "hello"
        assert ws.subprotocol == f"gstack-view.{ticket}"
        await ws.send("end")
        with pytest.raises(ConnectionClosed) as ended:
            await ws.recv()
        assert ended.value.rcvd
        assert ended.value.rcvd.code == 1000


async def test_a_socket_opens_for_nobody_else(site):
    good = site.tickets.issue(TicketKind.VIEW)

    assert await site.refusal("") == 401
    assert await site.refusal("guess") == 401
    assert await site.refusal(site.tickets.issue(TicketKind.DASHBOARD)) == 401
    assert await site.refusal(site.tickets.issue(TicketKind.FEED)) == 401
    assert await site.refusal(good, origin="https://evil.com") == 403
    assert await site.refusal(good, origin="http://127.0.0.1:9") == 403
    assert await site.refusal(good, path="/elsewhere") in (403, 404)
    assert site.got == []


async def test_the_extension_opens_it_with_its_own_ticket_and_origin(site):
    ticket = site.tickets.issue(TicketKind.EXTENSION)

    async with await site.socket(ticket, origin=ORIGIN) as ws:
        await ws.send("hello")
        assert await ws.recv() == "hello"
    assert await site.refusal(ticket) == 401  # a page of ours is not the extension


async def test_a_defect_ends_the_socket_without_details(site, caplog):
    async with await site.socket(site.tickets.issue(TicketKind.VIEW)) as ws:
        await ws.send("break")
        with pytest.raises(ConnectionClosed) as ended:
            await ws.recv()

    assert ended.value.rcvd
    assert (ended.value.rcvd.code, ended.value.rcvd.reason) == (1011, "")
    assert "inner workings" in caplog.text


async def test_an_open_socket_is_no_half_sent_request(site):
    async with await site.socket(site.tickets.issue(TicketKind.VIEW)) as ws:
        await ws.send("hello")
        await ws.recv()

        timers = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined] # no other way
        live = [timer._callback for timer in timers if not timer.cancelled()]
        assert not [it for it in live if getattr(it, "__name__", "") == "_give_up"]


async def test_a_listener_that_closes_tells_its_sockets(site):
    async with await site.socket(site.tickets.issue(TicketKind.VIEW)) as ws:
        site.server.close()
        with pytest.raises(ConnectionClosed) as ended:
            await ws.recv()

    assert ended.value.rcvd
    assert ended.value.rcvd.code == 1012  # the service restarts: come again


async def test_a_ticket_is_the_owner_for_its_page(site):
    tickets = {kind: site.tickets.issue(kind) for kind in TicketKind}
    tickets_and_token = {"owner": TOKEN, **{kind.label: it for kind, it in tickets.items()}}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{site.port}") as client:
        answers = {
            name: (await client.get("/facts", headers={"Authorization": f"Bearer {it}"}))
            for name, it in tickets_and_token.items()
        }

    let_in = [name for name, answer in answers.items() if answer.status_code == 200]
    assert let_in == ["owner", "view", "extension"]
    assert answers["view"].json() == {"owner": True}
