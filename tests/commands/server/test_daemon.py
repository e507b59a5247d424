"""The daemon itself."""

import json
import os

import pytest

from support.fakes import FakeLife, FakeSession, FakeTab, a_runner, run


async def test_the_state_of_the_daemon_is_told_in_lines():
    said, _ = await run(a_runner(tabs=(FakeTab(1, "http://127.0.0.1/\nStatus: x"),)), "status")

    assert said.splitlines() == [
        "Status: healthy",
        "Mode: launched",
        "URL: http://127.0.0.1/%0AStatus:%20x",
        "Tabs: 1",
        f"PID: {os.getpid()}",
    ]


async def test_the_state_is_told_before_the_browser_is_up():
    session = FakeSession()
    session.open_tabs, session.is_up = None, False

    data = json.loads((await run(a_runner(session=session), "status", "--json"))[0])

    assert (data["status"], data["tabs"], data["uptime"]) == ("starting", 0, 12)
    assert data["page"] == {"url": "about:blank"}


@pytest.mark.parametrize(
    ("command", "line", "reason"),
    [("stop", "Server stopped", "asked to stop"), ("restart", "Restarting...", "asked to restart")],
)
async def test_the_daemon_ends_after_it_has_answered(command, line, reason):
    life = FakeLife()

    said, _ = await run(a_runner(life=life), command)

    assert (said, life.reasons) == (line, [reason])
