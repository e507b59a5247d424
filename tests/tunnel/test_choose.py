"""Which provider the settings lead to."""

import asyncio
import re

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.tunnel.choose import choose

COMMAND = ("ssh", "-R", "8080:127.0.0.1:{port}", "host")


def chosen(tmp_path, **settings):
    return choose(Settings(**settings), Paths(tmp_path / "browse.json", tmp_path))


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "ngrok"),
        ({"tunnel_command": COMMAND}, "command"),
        ({"tunnel_command": COMMAND, "tunnel_provider": "ngrok"}, "ngrok"),
        ({"tunnel_command": COMMAND, "tunnel_provider": "none"}, "none"),
        ({"tunnel_provider": "none"}, "none"),
    ],
)
def test_settings_choose(tmp_path, settings, name):
    assert chosen(tmp_path, **settings).name == name


@pytest.mark.parametrize(
    "settings",
    [
        {"tunnel_provider": "command"},
        {"tunnel_command": COMMAND, "tunnel_url": "http://x.example:{found}"},
    ],
)
def test_settings_that_do_not_go_together_are_refused(tmp_path, settings):
    with pytest.raises(BrowseError) as caught:
        chosen(tmp_path, **settings)

    assert caught.value.code is Code.SETTING_INVALID


async def test_none_is_this_machine_until_it_is_closed(tmp_path):
    opened = await chosen(tmp_path, tunnel_provider="none").open(4567)
    waiting = asyncio.ensure_future(opened.wait_closed())

    assert opened.url == "http://127.0.0.1:4567"
    assert not waiting.done()
    await opened.close()
    assert await waiting == "it was closed"


async def test_a_program_is_started_with_its_settings(tmp_path):
    provider = chosen(
        tmp_path,
        tunnel_command=("sh", "-c", "echo port {port}; exec sleep 1000"),
        tunnel_url="http://x.example:{found}",
        tunnel_url_pattern=re.compile(r"port (\d+)"),
    )

    opened = await provider.open(4567)

    assert opened.url == "http://x.example:4567"
    await opened.close()
