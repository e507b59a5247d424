"""The whole listener, on a real socket, over a fake browser."""

from typing import Any

import httpx
import pytest

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.daemon import build, port
from browse.security.canary import Canary
from browse.server.notices import Notices
from support.fakes import FakeBrowser, FakeLife, FakeTab

TOKEN = "token-of-these-tests"


class Daemon:
    """A served application and its parts."""

    def __init__(self) -> None:
        self.browser: Any = FakeBrowser(FakeTab(1), FakeTab(2))
        self.life = FakeLife()

    async def start(self, tmp_path) -> None:
        settings = Settings(auth_token=TOKEN)
        paths = Paths(tmp_path / ".gstack/browse.json", tmp_path / "home")
        self.served = await build.serve(
            settings, paths, self.browser, Canary(), Notices(), self.life, port.bind(None)
        )

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self.served.port}",
            headers={"Authorization": f"Bearer {TOKEN}"},
            trust_env=False,
        )


@pytest.fixture
async def daemon(tmp_path):
    made = Daemon()
    await made.start(tmp_path)
    yield made
    await made.served.stop(5.0)


async def test_health_has_exactly_its_documented_keys(daemon):
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.get(f"http://127.0.0.1:{daemon.served.port}/health")

    told = {"status": "healthy", "mode": "launched", "uptime": 12, "tabs": 2}
    assert answer.json() == {**told, "terminalPort": daemon.served.port}


async def test_health_answers_before_the_browser_is_up(daemon):
    daemon.browser.open_tabs, daemon.browser.is_up = None, False

    async with daemon.client() as client:
        answer = await client.get("/health")

    assert (answer.json()["status"], answer.json()["tabs"]) == ("starting", 0)


async def test_the_owners_token_is_in_force(daemon):
    async with daemon.client() as client:
        answer = await client.post("/command", json={"command": "tabs", "args": ["--json"]})

    assert [tab["id"] for tab in answer.json()["tabs"]] == [1, 2]


async def test_every_declared_command_can_be_called(daemon):
    async with daemon.client() as client:
        answer = await client.post("/command", json={"command": "help"})

    assert answer.text.startswith("browse: the browser that AI agents drive")


async def test_answers_do_not_name_the_server_software(daemon):
    async with daemon.client() as client:
        answer = await client.get("/health")

    assert "server" not in answer.headers


async def test_a_served_command_resets_the_idle_clock(daemon):
    before = daemon.served.idle_s()
    async with daemon.client() as client:
        await client.post("/command", json={"command": "help"})

    assert daemon.served.idle_s() >= 0
    assert before >= 0


async def test_after_the_end_nobody_is_let_in(daemon):
    await daemon.served.stop(5.0)

    async with daemon.client() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("/health")
