"""The proxy behind ours: real proxies on loopback, and names that a test resolves."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from browse.browser.network import socks_relay, upstream
from browse.browser.network.refusals import Refusals
from browse.browser.network.socks_proxy import SocksProxy
from browse.browser.network.upstream import Upstream
from browse.browser.network.upstream_errors import ProxyTrouble, UpstreamFailed
from browse.core.errors import BrowseError, Code
from browse.core.launching.proxy_address import ProxyAddress, proxy_address
from browse.core.settings import load
from browse.guard.blocklist import Blocklist
from browse.guard.sites import Sites
from support.proxies import ServingProxy

# Behind the proxy, these lead to loopback; here, to addresses that nothing is sent to.
NAMES = {"site.test": "127.0.0.1", "203.0.113.7": "127.0.0.1", "10.1.1.1": "127.0.0.1"}
HERE = {"site.test": ["2001:db8::7", "203.0.113.7"], "rebind.test": ["169.254.169.254"]}


def address(url: str) -> ProxyAddress:
    found = proxy_address(url)
    assert isinstance(found, ProxyAddress)
    return found


@pytest.fixture(params=["socks5", "http"])
def proxy(request):
    made = ServingProxy(request.param, names=NAMES)
    yield made
    made.close()


@pytest.fixture
def hanging():
    made = ServingProxy(hangs=True)
    yield made
    made.close()


@pytest.fixture
async def echo():
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


async def no_objection(*_: str) -> str:
    return ""


@asynccontextmanager
async def ours(behind: Upstream, sites: Sites | None = None, objection=no_objection):
    async def resolve(host: str) -> list[str]:
        return HERE.get(host, [])

    refusals = Refusals()
    made = SocksProxy(
        sites or Sites(),
        refusals,
        objection=objection,
        on_refused=lambda *_: None,
        resolve=resolve,
        upstream=behind,
    )
    await made.open()

    async def say(host: str, port: int) -> tuple[int, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port("http"))
        name = host.encode()
        writer.write(b"\x05\x01\x00\x05\x01\x00\x03" + bytes([len(name)]) + name)
        writer.write(port.to_bytes(2, "big") + b"hello\n")
        await reader.readexactly(2)
        code = (await reader.readexactly(10))[1]
        said = b"" if code else await reader.readline()
        writer.close()
        return code, said

    try:
        yield say, refusals
    finally:
        await made.close()


async def test_the_proxy_gets_the_address_that_was_checked(proxy, echo):
    async with ours(Upstream(address(proxy.url(proxy.login)))) as (say, _):
        assert await say("site.test", echo) == (0, b"hello\n")

    assert proxy.asked[-1] == ("203.0.113.7", echo, True)


async def test_a_proxy_that_looks_up_names_gets_the_name(proxy, echo):
    behind = Upstream(address(proxy.url(proxy.login)), looks_up=True)
    async with ours(behind) as (say, _):
        assert await say("site.test", echo) == (0, b"hello\n")

    assert proxy.asked == [("site.test", echo, True)]


@pytest.mark.parametrize("looks_up", [True, False])
async def test_address_rules_hold_before_the_proxy(proxy, looks_up):
    behind = Upstream(address(proxy.url(proxy.login)), looks_up=looks_up)
    hosts = ["169.254.169.254", "metadata.google.internal", *([] if looks_up else ["rebind.test"])]
    async with ours(behind) as (say, _):
        for host in hosts:
            assert (await say(host, 80))[0] == socks_relay.FORBIDDEN

    assert proxy.asked == []


@pytest.mark.parametrize("looks_up", [True, False])
async def test_rules_about_hosts_hold_before_the_proxy(proxy, tmp_path, looks_up):
    behind = Upstream(address(proxy.url(proxy.login)), looks_up=looks_up)
    listed = tmp_path / "blocklist"
    listed.write_text("site.test\n")

    async def objection(*_: str) -> str:
        return "a tab's own rule"

    for sites, rule in (
        (Sites(("other.test",)), no_objection),
        (Sites((), Blocklist(listed), "block"), no_objection),
        (Sites(), objection),
    ):
        async with ours(behind, sites, rule) as (say, _):
            assert (await say("site.test", 80))[0] == socks_relay.FORBIDDEN

    assert proxy.asked == []


async def test_loopback_and_the_bypass_list_go_without_the_proxy(proxy, echo):
    behind = Upstream(address(proxy.url(proxy.login)), ["10.0.0.0/8", "*.corp.test"])

    async with ours(behind) as (say, _):
        for host in ("localhost", "a.localhost", "127.0.0.1"):
            assert await say(host, echo) == (0, b"hello\n")

    assert proxy.asked == []
    assert behind.bypasses("10.1.1.1")
    assert behind.bypasses("intern.corp.test")
    assert not behind.bypasses("corp.test.evil.test", "11.1.1.1")


async def test_what_goes_wrong_behind_the_proxy_is_said(proxy):
    async with ours(Upstream(address(proxy.url(proxy.login)), looks_up=True)) as (say, refusals):
        code, _ = await say("site.test", free_port())

        assert code == socks_relay.UNREACHABLE
        assert f"the proxy {proxy.url()}" in refusals.about("site.test").spelled


async def test_a_proxy_that_takes_the_login_passes_the_check(proxy):
    await Upstream(address(proxy.url(proxy.login))).check()


@pytest.mark.parametrize(
    ("login", "said"),
    [
        (("ada", "wrong-word"), "does not accept the user name and password"),
        (None, "asks for a user name and a password"),
    ],
)
async def test_a_proxy_that_wants_another_login_fails_the_check(proxy, login, said):
    with pytest.raises(BrowseError, match=said) as raised:
        await Upstream(address(proxy.url(login))).check()

    assert raised.value.code is Code.PROXY
    assert "wrong-word" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize("scheme", ["socks5", "http", "https"])
async def test_a_proxy_that_is_down_fails_the_check(scheme):
    with pytest.raises(BrowseError, match="nothing listens there; no page was opened"):
        await Upstream(address(f"{scheme}://127.0.0.1:{free_port()}")).check()


async def test_a_proxy_that_hangs_fails_the_check(hanging, monkeypatch):
    monkeypatch.setattr(upstream, "CHECK_S", 0.2)

    with pytest.raises(BrowseError, match=r"does not answer within 0\.2 s"):
        await Upstream(address(hanging.url())).check()


async def test_a_proxy_that_hangs_later_ends_the_connection(hanging, monkeypatch):
    monkeypatch.setattr(upstream, "CONNECT_S", 0.2)

    with pytest.raises(UpstreamFailed) as raised:
        await Upstream(address(hanging.url())).connect("site.test", 80)

    assert raised.value.trouble is ProxyTrouble.HANGS


@pytest.mark.parametrize(
    ("scheme", "said", "expected"),
    [
        ("socks5", b"HTTP/1.0 400 Bad Request\r\n\r\n", "answers, but not as a proxy"),
        ("socks5", b"\x05\x00\x04\x00\x00\x01", "answers, but not as a proxy"),
        ("socks5", b"\x05\x00\x05\x00\x00\x09\x00\x00", "answers, but not as a proxy"),
        ("socks5", b"", "closes the connection"),
        ("http", b"\x05\xff\r\n\r\n", "answers, but not as a proxy"),
        ("http", b"HTTP/1.1 405 No\r\n\r\n", "answers, but not as a proxy"),
        ("http", b"", "closes the connection"),
        ("https", b"HTTP/1.1 200 OK\r\n\r\n", "answers, but not as a proxy"),
    ],
)
async def test_what_is_no_proxy_of_this_kind_fails_the_check(scheme, said, expected):
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(said)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrowseError, match=expected):
            await Upstream(address(f"{scheme}://127.0.0.1:{port}")).check()
    finally:
        server.close()


@pytest.mark.parametrize(
    "environ",
    [
        {"BROWSE_PROXY_URL": "socks5://a:b@h", "BROWSE_PROXY_USER": "c", "BROWSE_PROXY_PASS": "d"},
        {"BROWSE_PROXY_URL": "socks5://h", "BROWSE_PROXY_USER": "c"},
        {"BROWSE_PROXY_URL": "http://h", "BROWSE_PROXY_USER": "c:d", "BROWSE_PROXY_PASS": "secret"},
        {"BROWSE_PROXY_URL": "socks5://h", "BROWSE_PROXY_BYPASS": "http://x/"},
    ],
)
def test_settings_that_contradict_each_other_are_refused(environ):
    with pytest.raises(BrowseError) as raised:
        Upstream.of(load(environ))

    assert raised.value.code is Code.SETTING_INVALID
    assert "secret" not in raised.value.message


@pytest.mark.parametrize(
    ("environ", "looks_up"),
    [
        ({"BROWSE_PROXY_URL": "socks5://h"}, False),
        ({"BROWSE_PROXY_URL": "socks5h://h"}, True),
        ({"BROWSE_PROXY_URL": "http://h", "BROWSE_PROXY_DNS": "proxy"}, True),
    ],
)
def test_settings_say_who_looks_up_names(environ, looks_up):
    made = Upstream.of(load({**environ, "BROWSE_PROXY_USER": "a", "BROWSE_PROXY_PASS": "b"}))

    assert made
    assert made.looks_up == looks_up
    assert made.proxy.login == ("a", "b")


def test_no_proxy_is_none():
    assert Upstream.of(load({})) is None
    assert Upstream.of(load({"BROWSE_PROXY_URL": "off", "BROWSE_PROXY_USER": "a"})) is None
