"""The way in from outside: real sockets, a real provider on loopback."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.server.gateway import Gateway


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class Kit:
    """A gateway, and what it told."""

    def __init__(self, home: Path, **settings: Any) -> None:
        self.told: list[dict[str, Any]] = []
        self.changed = asyncio.Event()
        self.paths = Paths(home / "browse.json", home)
        values = {"pair_agent": "on", "tunnel_provider": "none", **settings}
        self.gateway = Gateway(Settings(**values), self.paths, lambda: app, self.change)

    def change(self, now: dict[str, Any]) -> None:
        self.told.append(now)
        self.changed.set()


async def test_it_opens_once_answers_and_closes(tmp_path):
    kit = Kit(tmp_path)

    url, already = await kit.gateway.start()
    again = await kit.gateway.start()

    assert not already
    assert again == (url, True)
    async with httpx.AsyncClient() as client:
        assert (await client.get(url)).status_code == 204
    assert kit.gateway.status()["provider"] == "none"
    assert await kit.gateway.stop()
    assert not await kit.gateway.stop()
    async with httpx.AsyncClient() as client:
        with pytest.raises(httpx.ConnectError):
            await client.get(url)
    assert [now["open"] for now in kit.told] == [True, False]
    assert kit.gateway.url is None


async def test_it_opens_at_the_start_only_where_that_is_asked_for(tmp_path):
    asked, unasked = Kit(tmp_path, tunnel=True), Kit(tmp_path)

    asked.gateway.begin()
    unasked.gateway.begin()
    await asked.changed.wait()

    assert asked.gateway.status()["open"]
    assert not unasked.gateway.status()["open"]
    await asked.gateway.stop()


async def test_for_this_machine_alone_it_opens_at_the_start_and_needs_no_consent(tmp_path):
    kit = Kit(tmp_path, tunnel_local_only=True, tunnel_provider="ngrok", pair_agent="off")

    kit.gateway.begin()
    await kit.changed.wait()

    now = kit.gateway.status()
    assert now["url"] == f"http://127.0.0.1:{now['port']}"
    await kit.gateway.stop()


async def test_what_kept_it_from_opening_at_the_start_is_told_later(tmp_path):
    kit = Kit(tmp_path, tunnel=True, pair_agent="off")

    kit.gateway.begin()
    async with asyncio.timeout(20):
        while not (why := kit.gateway.status()["closed"]):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)

    assert why.startswith("it could not be opened at the start: ")
    assert "pair_agent: on" in why
    assert kit.told == []


@pytest.mark.parametrize("said", ["off", "yes", ""])
async def test_without_a_plain_yes_nothing_is_opened(tmp_path, said):
    kit = Kit(tmp_path, pair_agent=said)

    with pytest.raises(BrowseError) as caught:
        await kit.gateway.start()

    assert caught.value.code is Code.NO_CONSENT
    assert "pair_agent: on" in caught.value.hint
    assert kit.told == []
    assert not kit.paths.egress_receipts.exists()


async def test_a_receipt_is_there_before_the_tunnel_and_without_one_there_is_none(tmp_path):
    kit = Kit(tmp_path)
    await kit.gateway.start()
    await kit.gateway.stop()
    assert b'"sink":"browse-tunnel"' in kit.paths.egress_receipts.read_bytes()

    kit.paths.egress_receipts.write_text("damaged")
    with pytest.raises(BrowseError) as caught:
        await kit.gateway.start()

    assert caught.value.code is Code.STATE_UNUSABLE
    assert kit.gateway.url is None


async def test_a_tunnel_that_dies_is_noticed_and_said(tmp_path):
    script = "import sys; print('https://abc.example', flush=True); sys.stdin.readline()"
    words = ("python3", "-c", f"{script}; print(1) or sys.exit(3)", "{port}")
    kit = Kit(tmp_path, tunnel_provider="command", tunnel_command=words)

    url, _ = await kit.gateway.start()
    async with asyncio.timeout(30):
        while kit.gateway.url:
            kit.changed.clear()
            await kit.changed.wait()

    assert url == "https://abc.example"
    assert "the tunnel is gone: python3 ended with exit code 3" in kit.gateway.status()["closed"]
    assert kit.told[-1]["open"] is False


async def test_a_tunnel_that_does_not_open_leaves_nothing_bound(tmp_path):
    kit = Kit(tmp_path, tunnel_provider="command", tunnel_command=("false", "{port}"))

    with pytest.raises(BrowseError) as caught:
        await kit.gateway.start()

    assert caught.value.code is Code.TUNNEL
    assert kit.gateway.status() == {"open": False, "url": None, "closed": None}
