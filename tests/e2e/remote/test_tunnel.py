"""A tunnel through a real ssh and a real sshd."""

import asyncio
import socket
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.settings import load
from browse.tunnel.choose import choose
from browse.tunnel.provider import Opened
from support.cli import ask_each, until
from support.life import see_gone
from support.sshd import Sshd, free_port, running

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def sshd(tmp_path_factory) -> Iterator[Sshd]:
    with running(tmp_path_factory.mktemp("sshd")) as server:
        yield server


@asynccontextmanager
async def opened(port: int, **environ: str) -> AsyncIterator[Opened]:
    """Open a tunnel as the daemon would: from the environment."""
    settings = load({f"BROWSE_TUNNEL_{name}": value for name, value in environ.items()})
    provider = choose(settings, Paths(Path("/nowhere/browse.json"), Path("/nowhere")))
    tunnel = await provider.open(port)
    try:
        yield tunnel
    finally:
        await tunnel.close()


async def fetched(url: str) -> str:
    def fetch() -> str:
        with urllib.request.urlopen(url, timeout=150) as answer:
            return answer.read().decode()

    return await asyncio.to_thread(fetch)


def is_reachable(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname, parts.port), 5):
            return True
    except ConnectionRefusedError:
        return False


def programs(sshd: Sshd) -> list[psutil.Process]:
    """List the processes of this test that are an ssh to this server."""
    family = psutil.Process().children(recursive=True)
    told = ask_each(family, lambda it: (it.name(), it.cmdline())).items()
    return [one for one, (name, words) in told if name == "ssh" and str(sshd.port) in words]


async def test_ssh_makes_a_port_reachable_until_it_is_closed(sshd, site):
    site.page("/tunnelled", "<p>from afar")
    async with opened(
        site.port,
        COMMAND=sshd.command("0:127.0.0.1:{port}"),
        URL="http://127.0.0.1:{found}",
        URL_PATTERN=r"Allocated port (\d+) for remote forward",
    ) as tunnel:
        (program,) = programs(sshd)
        assert tunnel.url != site.url
        assert "from afar" in await fetched(tunnel.url + "/tunnelled")

    see_gone([program])
    await asyncio.to_thread(until, lambda: not is_reachable(tunnel.url), what="its port to close")


async def test_a_tunnel_that_ssh_loses_is_noticed(sshd, site):
    port = free_port()
    forward, url = f"{port}:127.0.0.1:{{port}}", f"http://127.0.0.1:{port}"
    async with opened(site.port, COMMAND=sshd.command(forward), URL=url) as tunnel:
        waiting = asyncio.ensure_future(tunnel.wait_closed())
        await asyncio.to_thread(until, lambda: is_reachable(url), what="the tunnel")
        for child in psutil.Process(sshd.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # it went with the one before
                child.kill()

        async with asyncio.timeout(30):
            assert await waiting == "ssh ended with exit code 255"


@pytest.mark.parametrize(
    ("key", "forward", "said"),
    [
        ("stranger", "0:127.0.0.1:{port}", "Permission denied"),
        ("user_key", "1:nowhere.invalid:x{port}", "Bad remote forwarding specification"),
    ],
)
async def test_what_keeps_ssh_from_it_is_told(sshd, site, key, forward, said):
    with pytest.raises(BrowseError, match="ssh ended with exit code 255") as caught:
        async with opened(site.port, COMMAND=sshd.command(forward, key=key), URL_PATTERN="never"):
            pass

    assert said in caught.value.page
    assert programs(sshd) == []
