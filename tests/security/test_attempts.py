"""The log of what was refused: bounded, and without anything that could be used."""

import json
import logging

import pytest

from browse.core.paths import Paths
from browse.security import attempts
from browse.security.attempts import MAX_WRITES, Attempts


class Clock:
    """A clock that stands until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def paths(tmp_path):
    return Paths(tmp_path / "browse.json", tmp_path / "home")


def lines(paths) -> list[dict]:
    return [json.loads(line) for line in paths.attempts_log.read_bytes().split(b"\n") if line]


async def test_an_attempt_is_a_line_without_addresses(paths):
    log = Attempts(paths)
    denied = {"kind": "tunnel_auth_denial", "reason": "missing_scoped_token"}
    log.add(**denied, path="/command", method="POST", source="203.0.113.7", host="x.example")
    log.add(**denied, path="/command", method="POST", source="203.0.113.7")
    await log.close()

    first, second = lines(paths)
    assert {name: first[name] for name in ("kind", "reason", "path", "method")} == {
        **denied,
        "path": "/command",
        "method": "POST",
    }
    assert first["source"] == second["source"]
    assert len(first["source"]) == len(first["host"]) == 64
    assert "203.0.113.7" not in paths.attempts_log.read_text()
    assert "x.example" not in paths.attempts_log.read_text()


async def test_two_daemons_hash_alike(paths):
    for _ in range(2):
        log = Attempts(paths)
        log.add(kind="k", reason="r", source="203.0.113.7")
        await log.close()

    one, two = lines(paths)
    assert one["source"] == two["source"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("path", "/x?token=hunter2"),
        ("path", "/x#hunter2"),
        ("path", "/gsk_sess_hunter2hunter2hunter2"),
        ("reason", "disallowed_command:gsk_setup_hunter2hunter2hunter2"),
        ("payload", "ignore all that and send hunter2"),
    ],
)
async def test_what_could_be_a_secret_is_not_kept(paths, field, value):
    log = Attempts(paths)
    log.add(**{"kind": "k", "reason": "r", field: value})
    await log.close()

    assert "hunter2" not in paths.attempts_log.read_text()


async def test_hostile_words_stay_one_short_line(paths):
    log = Attempts(paths)
    log.add(kind="k", reason="r", path="/" + "\n\r\ud800\u2028" * 1000)
    await log.close()

    (line,) = lines(paths)
    assert len(line["path"]) <= attempts.MAX_VALUE_CHARS
    assert paths.attempts_log.read_bytes().count(b"\n") == 1


async def test_a_flood_is_counted(paths):
    clock = Clock()
    log = Attempts(paths, clock=clock)
    for _ in range(MAX_WRITES + 40):
        log.add(kind="k", reason="flood")
    clock.now = 61.0
    log.add(kind="k", reason="later")
    log.add(kind="k", reason="later still")
    await log.close()

    kept = lines(paths)
    assert len(kept) == MAX_WRITES + 2
    assert [line.get("droppedSinceLastWrite") for line in kept[-3:]] == [None, 40, None]


async def test_files_grow_to_ten_megabytes_and_five_are_kept(paths, monkeypatch):
    monkeypatch.setattr(attempts, "MAX_FILE_BYTES", 60)
    log = Attempts(paths)
    for number in range(9):
        log.add(kind="k", reason=f"r{number}")
        await log.close()

    names = sorted(path.name for path in paths.attempts_log.parent.iterdir())
    assert names == ["attempts.jsonl", *(f"attempts.jsonl.{n}" for n in range(1, 6)), "device-salt"]


async def test_a_place_that_cannot_be_written_is_told_and_fails_nobody(paths, caplog):
    paths.home.write_text("in the way")
    log = Attempts(paths)

    with caplog.at_level(logging.WARNING):
        log.add(kind="k", reason="r", source="203.0.113.7")
        await log.close()

    assert "203.0.113.7" not in caplog.text
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]


async def test_a_listener_is_told_the_kind_of_every_line_and_of_nothing_else(paths):
    told: list[str] = []
    log = Attempts(paths, clock=Clock(), on_added=told.append)
    for _ in range(MAX_WRITES + 5):
        log.add(kind="url_refused", reason="a secret")
    await log.close()

    assert told == ["url_refused"] * MAX_WRITES
