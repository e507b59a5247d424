"""Telemetry: nothing without consent, nothing but names and numbers with it."""

import json
import stat

import pytest

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.telemetry import MAX_WAITING, Telemetry


@pytest.fixture
def paths(tmp_path):
    return Paths(tmp_path / "browse.json", tmp_path / "home")


@pytest.fixture
def agreed(paths):
    paths.home.mkdir()
    paths.config_yaml.write_text("telemetry: community\n")
    return paths


async def noted(paths, *events: dict, off: bool = False) -> list[dict]:
    telemetry = Telemetry(Settings(telemetry_off=off), paths)
    for event in events:
        telemetry.add(**event)
    await telemetry.close()
    if not paths.telemetry.exists():
        return []
    return [json.loads(line) for line in paths.telemetry.read_text().splitlines()]


async def test_an_event_is_a_line_with_its_time(agreed):
    (line,) = await noted(agreed, {"event": "cdp_method_called", "method": "DOM.x", "ms": 3.5})

    assert line.pop("ts").endswith("Z")
    assert line == {"event": "cdp_method_called", "method": "DOM.x", "ms": 3.5}
    assert stat.S_IMODE(agreed.telemetry.stat().st_mode) == 0o600
    assert stat.S_IMODE(agreed.telemetry.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "telemetry: off", "telemetry: yes", "telemetry: Community"])
async def test_nothing_is_written_without_consent(agreed, text):
    agreed.config_yaml.write_text(text)

    assert await noted(agreed, {"event": "x"}) == []
    assert not agreed.telemetry.parent.exists()


async def test_the_off_switch_wins(agreed):
    assert await noted(agreed, {"event": "x"}, off=True) == []


async def test_consent_that_is_taken_back_counts_at_once(agreed):
    telemetry = Telemetry(Settings(), agreed)
    telemetry.add("first")
    await telemetry.close()
    agreed.config_yaml.write_text("telemetry: off\n")

    telemetry.add("second")
    await telemetry.close()

    assert "second" not in agreed.telemetry.read_text()


@pytest.mark.parametrize("words", ["two words", "/a/path", "x@example.com", "p\u00e4ge", "x" * 200])
async def test_what_may_be_content_is_left_out(agreed, words):
    (line,) = await noted(agreed, {"event": "x", "host": words, "count": 1})

    assert set(line) == {"ts", "event", "count"}


async def test_a_place_that_cannot_be_written_fails_nobody(agreed):
    agreed.telemetry.parent.write_text("in the way")

    telemetry = Telemetry(Settings(), agreed)
    telemetry.add("x")
    await telemetry.close()

    assert agreed.telemetry.parent.read_text() == "in the way"


async def test_a_flood_is_bounded(agreed):
    lines = await noted(agreed, *({"event": "x"} for _ in range(MAX_WAITING + 50)))

    assert len(lines) == MAX_WAITING
