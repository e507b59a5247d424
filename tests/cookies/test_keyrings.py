"""Keys from keyrings: asked for once, and what is said when there is none."""

import asyncio
import os
from pathlib import Path

import pytest

from browse.cookies import keyrings
from browse.cookies.browsers import named
from browse.cookies.encryption import derived
from browse.cookies.keyrings import Keys
from browse.cookies.problems import NoKey

CHROME = named("chrome")


@pytest.fixture
def security(tmp_path, monkeypatch):
    """A small program that answers as macOS' `security` does."""

    def make(lines: str) -> Path:
        program = tmp_path / "security"
        program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\n{lines}\n')
        program.chmod(0o700)
        return tmp_path / "asked"

    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return make


async def test_the_keychain_is_asked_once(security):
    asked = security("echo 'a password'")
    keys = Keys("darwin")

    first, second = await asyncio.gather(keys.from_keyring(CHROME), keys.from_keyring(CHROME))

    assert first == second == [derived(b"a password", "darwin"), derived(b"", "darwin")]
    assert keys.without_keyring() == []
    assert asked.read_text().splitlines() == [
        "find-generic-password -w -a Chrome -s Chrome Safe Storage"
    ]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("exit 44", "keychain_not_found"),
        ("exit 128", "keychain_denied"),
        ("echo a secret; exit 51", "keychain_denied"),
        ("exit 0", "keychain_denied"),
    ],
)
async def test_a_keychain_that_gives_nothing(security, lines, reason):
    security(lines)

    with pytest.raises(NoKey) as caught:
        await Keys("darwin").from_keyring(CHROME)

    assert caught.value.reason == reason
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"


async def test_a_refusal_is_asked_about_again(security):
    security("exit 128")
    keys = Keys("darwin")
    with pytest.raises(NoKey):
        await keys.from_keyring(CHROME)
    security("echo now")

    assert (await keys.from_keyring(CHROME))[0] == derived(b"now", "darwin")


async def test_a_keyring_that_does_not_answer(security):
    security("read forever < /dev/tty || sleep 600")

    with pytest.raises(NoKey, match="did not answer within") as caught:
        await Keys("darwin", answer_s=0.2).from_keyring(CHROME)

    assert caught.value.reason == "keychain_timeout"


async def test_on_linux_without_a_bus(monkeypatch, tmp_path):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")

    with pytest.raises(NoKey, match="No keyring answers") as caught:
        await Keys("linux").from_keyring(CHROME)

    assert caught.value.reason == "keychain_not_found"
    assert Keys("linux").without_keyring() == [derived(b"peanuts", "linux")]


def test_the_limit_leaves_time_for_a_person():
    assert keyrings.ANSWER_S >= 60
