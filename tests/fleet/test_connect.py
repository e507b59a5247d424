"""The address of a head, and what a worker asks of it before it joins."""

import logging
import os
from contextlib import asynccontextmanager

import pytest

from browse import __version__, _where
from browse.core.errors import BrowseError
from browse.fleet import connect, keys, place
from browse.fleet.place import FleetProcess, HeadNote


class FakeHead:
    """Answers as a head does, or does not."""

    def __init__(self, said: dict | OSError | None) -> None:
        self._said = said

    def __call__(self, _address: str, **_: object) -> "FakeHead":
        return self

    async def browse_hello(self, name: str) -> dict | None:
        if isinstance(self._said, OSError):
            raise self._said
        return self._said

    async def close_rpc(self) -> None:
        pass


@pytest.mark.parametrize("address", ["tls://10.0.0.5:8786", "tls://[::1]:1", "tls://m1.example:80"])
def test_the_address_of_a_head(address):
    assert connect.address(address) == address


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://10.0.0.5:8786", "TLS only"),
        ("10.0.0.5:8786", "not the address"),
        ("tls://10.0.0.5", "not the address"),
        ("tls://a b:1", "not the address"),
    ],
)
def test_what_is_no_address_of_a_head(address, why):
    with pytest.raises(BrowseError, match=why):
        connect.address(address)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"version": "0.0.9", "taken": False}, f"has browse 0.0.9, here is {__version__}"),
        (None, "has browse not at all"),
        ({"version": __version__, "taken": True}, "has a worker named m3 already"),
        (OSError("Timed out"), "does not answer: Timed out"),
        (OSError("[SSL: CERTIFICATE_VERIFY_FAILED]"), "does not take our keys"),
        (OSError("[SSL] certificate is not yet valid"), "do not agree that keys are valid"),
        (OSError("[SSL: SSLV3_ALERT_CERTIFICATE_EXPIRED]"), "do not agree that keys are valid"),
    ],
)
async def test_what_cannot_join_is_told_before_a_browser_starts(said, why, tmp_path, monkeypatch):
    monkeypatch.setattr(connect, "rpc", FakeHead(said))

    with pytest.raises(BrowseError) as refused:
        await connect.greet("tls://10.0.0.5:8786", keys.own(tmp_path), "m3")

    assert why in refused.value.message


async def test_who_can_join_may(tmp_path, monkeypatch):
    monkeypatch.setattr(connect, "rpc", FakeHead({"version": __version__, "taken": False}))

    await connect.greet("tls://10.0.0.5:8786", keys.own(tmp_path), "m3")


@pytest.mark.parametrize(
    ("error", "raised"),
    [(BrokenPipeError(), BrokenPipeError), (OSError("Timed out"), BrowseError)],
)
async def test_a_reader_that_has_enough_is_no_fault_of_the_head(
    error, raised, tmp_path, monkeypatch
):
    @asynccontextmanager
    async def connected(*_, **__):
        yield

    own = FleetProcess("head", os.getpid(), _where.pid_start(os.getpid()))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(connect, "Client", connected)
    monkeypatch.setattr(logging, "disable", lambda: None)
    place.note(place.folder(), HeadNote("tls://127.0.0.1:8786", own))

    with pytest.raises(raised):
        async with connect.client():
            raise error
