"""The proxy: a real SOCKS5 client, real sockets, and names that a test resolves."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from browse.browser.network import socks_relay
from browse.browser.network.debugging_ports import DebuggingPorts
from browse.browser.network.refusals import Refusals
from browse.browser.network.socks_proxy import SocksProxy
from browse.guard.blocklist import Blocklist
from browse.guard.sites import Sites
from support.tls import client_hello

ADDRESSES = {
    "ok.test": ["127.0.0.1"],
    "second.test": ["127.0.0.2", "127.0.0.1"],  # nothing listens at the first
    "rebind.test": ["169.254.169.254"],
    "mixed.test": ["127.0.0.1", "fd00:ec2::254"],
}


class Place:
    """A proxy, and a server behind it that answers with what it got."""

    def __init__(self, proxy: SocksProxy, refusals: Refusals, port: int) -> None:
        self.proxy = proxy
        self.refusals = refusals
        self.port = port
        self.open: list[asyncio.StreamWriter] = []

    def why(self, host: str) -> str:
        refusal = self.refusals.about(host)
        return refusal.spelled if refusal else ""

    async def connect(self, scheme="http"):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.proxy.port(scheme))
        self.open.append(writer)
        return reader, writer

    async def ask(self, host: str, *, port: int | None = None, scheme="http"):
        """Go through the handshake; give the reply's code and the open streams."""
        reader, writer = await self.connect(scheme)
        name = host.encode()
        writer.write(b"\x05\x01\x00")
        writer.write(b"\x05\x01\x00\x03" + bytes([len(name)]) + name)
        writer.write(struct.pack(">H", self.port if port is None else port))
        assert await reader.readexactly(2) == b"\x05\x00"
        reply = await reader.readexactly(10)
        return reply[1], reader, writer


async def no_objection(*_: str) -> str:
    return ""


@asynccontextmanager
async def place(
    sites: Sites | None = None,
    addresses=ADDRESSES,
    objection=no_objection,
    on_refused=lambda *_: None,
    has_rules=lambda: False,
) -> AsyncIterator[Place]:
    serving: list[asyncio.Task | None] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.append(asyncio.current_task())
        with suppress(ConnectionResetError):
            whole = await reader.read()  # until the other side ends its half
            writer.write(b"got " + whole)
            await writer.drain()
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def resolve(host: str) -> list[str]:
        if host not in addresses:
            raise OSError("no such name")
        return addresses[host]

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    refusals = Refusals()
    proxy = SocksProxy(
        sites or Sites(),
        refusals,
        objection=objection,
        on_refused=on_refused,
        has_rules=has_rules,
        resolve=resolve,
    )
    await proxy.open()
    here = Place(proxy, refusals, server.sockets[0].getsockname()[1])
    try:
        yield here
    finally:
        for writer in here.open:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        await proxy.close()
        server.close()
        await asyncio.gather(*filter(None, serving))


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: bytes):
    writer.write(sent)
    writer.write_eof()
    return await reader.read()


@pytest.mark.parametrize("host", ["ok.test", "OK.test.", "127.0.0.1", "localhost", "second.test"])
async def test_bytes_pass_both_ways_with_each_way_ended_alone(host):
    async with place() as here:
        code, reader, writer = await here.ask(host)

        assert code == socks_relay.OK
        assert await exchange(reader, writer, b"hello") == b"got hello"


async def test_much_passes_unharmed_to_who_reads_late():
    sent = bytes(range(256)) * 40_000
    async with place() as here:
        _, reader, writer = await here.ask("ok.test")

        assert await exchange(reader, writer, sent) == b"got " + sent


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "169.254.1.1", "rebind.test", "mixed.test", "metadata.google.internal"],
)
@pytest.mark.parametrize("scheme", ["http", "https", "socks"])
async def test_metadata_addresses_are_refused_and_remembered(host, scheme):
    async with place() as here:
        code, reader, _ = await here.ask(host, scheme=scheme)

        assert (code, await reader.read()) == (socks_relay.FORBIDDEN, b"")
        assert "metadata" in here.why(host)


async def test_name_that_changes_its_address_is_checked_when_it_is_used():
    changing = {"flip.test": ["127.0.0.1"]}
    async with place(addresses=changing) as here:
        first, _, _ = await here.ask("flip.test")
        changing["flip.test"] = ["169.254.169.254"]

        second, _, _ = await here.ask("flip.test")

    assert (first, second) == (socks_relay.OK, socks_relay.FORBIDDEN)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [(1, bytes([169, 254, 169, 254])), (4, socket.inet_pton(socket.AF_INET6, "fd00:ec2::254"))],
)
async def test_addresses_in_binary_are_refused_too(kind, raw):
    async with place() as here:
        reader, writer = await here.connect()
        writer.write(b"\x05\x01\x00\x05\x01\x00" + bytes([kind]) + raw + b"\0P")

        assert (await reader.readexactly(12))[3] == socks_relay.FORBIDDEN


async def test_name_that_leads_nowhere_and_port_without_listener_are_told_apart():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        free = unused.getsockname()[1]
        async with place() as here:
            nowhere, _, _ = await here.ask("nowhere.test")
            closed, _, _ = await here.ask("ok.test", port=free)

            assert nowhere == closed == socks_relay.UNREACHABLE
            assert here.why("nowhere.test") == "net::ERR_NAME_NOT_RESOLVED"
            assert here.why("ok.test") == "net::ERR_CONNECTION_REFUSED"


async def test_only_allowed_domains_pass():
    async with place(Sites(("ok.test",))) as here:
        allowed, _, _ = await here.ask("ok.test")
        other, _, _ = await here.ask("second.test")

        assert (allowed, other) == (socks_relay.OK, socks_relay.FORBIDDEN)
        assert "BROWSE_ALLOWED_DOMAINS" in here.why("second.test")


async def test_hosts_of_the_blocklist_are_refused_if_that_is_set(tmp_path):
    (tmp_path / "own.txt").write_text("second.test")
    async with place(Sites((), Blocklist(tmp_path / "own.txt"), "block")) as here:
        allowed, _, _ = await here.ask("ok.test")
        listed, _, _ = await here.ask("second.test")

        assert (allowed, listed) == (socks_relay.OK, socks_relay.FORBIDDEN)
        assert "blocklist" in here.why("second.test")


async def test_hosts_are_checked_for_a_browser_that_does_not_use_the_proxy(tmp_path):
    (tmp_path / "own.txt").write_text("second.test")
    sites = Sites(("*.test",), Blocklist(tmp_path / "own.txt"), "block")
    async with place(sites) as here:
        ports = DebuggingPorts(frozenset({("ok.test", "9222")}))
        hosts = (*ADDRESSES, "else.example")
        said = {host: await here.proxy.objection(f"http://{host}/", ports) for host in hosts}
        listening = await here.proxy.objection("http://ok.test:9222/json/list", ports)

    assert said["ok.test"] == ""
    assert "blocklist" in said["second.test"]
    assert "metadata" in said["rebind.test"]
    assert "metadata" in said["mixed.test"]
    assert "BROWSE_ALLOWED_DOMAINS" in said["else.example"]
    assert "listens for programs" in listening


def test_loopback_is_direct_unless_domains_are_limited():
    async def flags(sites: Sites) -> str:
        proxy = SocksProxy(sites, Refusals(), objection=no_objection, on_refused=lambda *_: None)
        await proxy.open()
        given = " ".join(proxy.flags())
        await proxy.close()
        return given

    assert "http://127.0.0.1" in asyncio.run(flags(Sites()))
    assert "--proxy-bypass-list=<-loopback> " in asyncio.run(flags(Sites(("a.test",))))


async def test_another_rule_may_object_and_is_told_of():
    told = []

    async def objection(entrance: str, host: str) -> str:
        return "because" if entrance == "websocket" else ""

    def refused(*what) -> None:
        told.append(what[:3])

    async with place(objection=objection, on_refused=refused) as here:
        assert (await here.ask("ok.test", scheme="socks"))[0] == socks_relay.FORBIDDEN
        assert told == [("websocket", "ok.test", here.port)]
        assert (await here.ask("ok.test"))[0] == socks_relay.OK


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x04\x01\0P\x7f\0\0\1\0",
        b"\x05\x01\x00\x05\x02\x00\x01" + bytes(6),
    ],
)
async def test_what_is_no_socks_connect_is_hung_up_on(said):
    async with place() as here:
        reader, writer = await here.connect()
        writer.write(said)

        assert (await reader.read())[-10:][:2] == bytes((5, socks_relay.FAILED))


async def test_client_that_offers_no_usable_method_is_told():
    async with place() as here:
        reader, writer = await here.connect()
        writer.write(b"\x05\x01\x02")

        assert await reader.read() == b"\x05\xff"


async def test_handshake_may_come_byte_by_byte_with_data_behind_it():
    async with place() as here:
        reader, writer = await here.connect()
        whole = b"\x05\x01\x00\x05\x01\x00\x03\x07ok.test" + struct.pack(">H", here.port) + b"early"
        for byte in whole:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

        assert (await reader.readexactly(12))[3] == socks_relay.OK
        assert await exchange(reader, writer, b" late") == b"got early late"


async def test_closing_the_door_ends_what_goes_through_it():
    async with place() as here:
        _, reader, writer = await here.ask("ok.test")
        await here.proxy.close()

        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        writer.close()


@pytest.mark.parametrize(
    ("scheme", "ruled", "sent", "passes"),
    [
        ("https", True, b"\x00\x03\x00\x08 a call", False),
        ("https", False, b"\x00\x03\x00\x08 a call", True),
        ("http", True, b"GET / HTTP/1.1", True),
        ("https", True, client_hello(), False),
        ("https", True, client_hello("h2"), True),
    ],
)
async def test_calls_between_browsers_end_here_while_there_are_rules(scheme, ruled, sent, passes):
    async with place(has_rules=lambda: ruled) as here:
        code, reader, writer = await here.ask("ok.test", scheme=scheme)
        writer.write(sent[:3])
        await writer.drain()
        try:
            got = await exchange(reader, writer, sent[3:])
        except ConnectionResetError:
            got = b""

    assert code == socks_relay.OK
    assert got == (b"got " + sent if passes else b"")
