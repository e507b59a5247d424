"""Tunnels by ngrok's package, as far as that goes without ngrok."""

import asyncio
import socket
import sys

import pytest

from browse.core.errors import BrowseError, Code
from browse.tunnel.account import Account
from browse.tunnel.ngrok import NgrokOpened, NgrokTunnel

ACCOUNT = Account("hunter2hunter2", "x.example")


async def refused(**options) -> BrowseError:
    provider = NgrokTunnel(lambda: ACCOUNT, **options)
    with pytest.raises(BrowseError) as caught:
        await provider.open(4567)
    return caught.value


async def test_a_connection_that_fails_is_told_without_the_token():
    with socket.socket() as taken:  # bound, but not listening: connections are refused
        taken.bind(("127.0.0.1", 0))
        error = await refused(server=f"127.0.0.1:{taken.getsockname()[1]}")

    assert error.code is Code.TUNNEL
    assert error.message == "There is no tunnel: ngrok did not open one."
    assert error.page == "failed to connect session: failed to establish tcp connection"
    assert "dashboard.ngrok.com" in error.hint
    assert error.__cause__ is None


async def test_a_server_that_does_not_answer_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = await refused(server=f"127.0.0.1:{silent.getsockname()[1]}", open_s=0.3)

    assert error.page == "no answer within 0.3 s"


async def test_a_missing_package_is_told_with_what_to_type(monkeypatch):
    monkeypatch.setitem(sys.modules, "ngrok", None)

    error = await refused()

    assert error.message == "There is no tunnel: the ngrok package is not installed."
    assert "pip install 'gstack-browse[ngrok]'" in error.hint


async def test_an_account_that_is_not_found_is_told():
    def none() -> Account:
        raise BrowseError(Code.TUNNEL, "no token", hint="get one")

    with pytest.raises(BrowseError, match="no token"):
        await NgrokTunnel(none).open(4567)


def test_the_package_has_what_is_called():
    import ngrok

    builder = ngrok.SessionBuilder().authtoken("x").server_addr("127.0.0.1:1")
    assert builder.handle_stop_command(lambda: None)
    for kind, names in {
        ngrok.Session: ("http_endpoint", "close"),
        ngrok.HttpListenerBuilder: ("domain", "listen_and_forward"),
        ngrok.Listener: ("url", "join"),
    }.items():
        assert [name for name in names if not callable(getattr(kind, name, None))] == []


class FakeNgrok:
    """A session and its listener at the seam where ngrok's service would be."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.closed = 0

    def url(self) -> str:
        return "https://x.ngrok.example/"

    async def join(self) -> None:
        await self.ended.wait()

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (lambda fake, stopped: stopped.set(), "ngrok was told to stop it"),
        (lambda fake, stopped: fake.ended.set(), "ngrok ended it"),
    ],
)
async def test_the_end_of_a_tunnel_is_noticed(act, why):
    fake, stopped = FakeNgrok(), asyncio.Event()
    opened = NgrokOpened(fake, fake, stopped)

    assert opened.url == "https://x.ngrok.example"
    act(fake, stopped)
    assert await opened.wait_closed() == why


async def test_closing_ends_the_session():
    fake = FakeNgrok()
    opened = NgrokOpened(fake, fake, asyncio.Event())

    await opened.close()

    assert fake.closed == 1
    assert await opened.wait_closed() == "it was closed"
