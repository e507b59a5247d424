"""`fleet up` where a fleet is up."""

import os

import pytest

from browse import _where
from browse.core.errors import BrowseError
from browse.fleet import place, running
from browse.fleet.place import FleetProcess, HeadNote


@pytest.fixture
def head(tmp_path, monkeypatch) -> HeadNote:
    """A head that runs here and listens on loopback."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(running, "find_spec", lambda _: object())  # the dashboard could be had
    own = FleetProcess("head", os.getpid(), _where.pid_start(os.getpid()))
    made = HeadNote("tls://127.0.0.1:8786", own, listen="127.0.0.1")
    place.note(place.folder(), made)
    return made


async def up(listen: str, *, dashboard: bool) -> str:
    return (await running.up(print, 0, 2, listen, 8786, dashboard=dashboard)).text


@pytest.mark.parametrize(
    ("listen", "dashboard", "why"),
    [("10.0.0.5", False, "not on 10.0.0.5"), ("", True, "without the dashboard")],
)
async def test_a_head_that_is_up_is_not_taken_for_another(head, listen, dashboard, why):
    with pytest.raises(BrowseError, match=f"is up already, at {head.address}, {why}") as refused:
        await up(listen, dashboard=dashboard)

    assert "browse fleet down" in refused.value.hint


@pytest.mark.parametrize("listen", ["", "127.0.0.1"])
async def test_a_second_call_finds_the_head_that_is_up(head, listen):
    assert head.address in await up(listen, dashboard=False)
