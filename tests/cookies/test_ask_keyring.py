"""A browser's password in a real Secret Service; and in a KWallet that speaks as the real one."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import secretstorage

from browse.cookies.ask_keyring import KeyringAnswer, KeyringQuestion, ask
from support.cli import HANG_S
from support.keyring import bus, keyring, where

CHROME = KeyringQuestion(["chrome"], "Chrome")
SCHEMA = {"xdg:schema": "chrome_libsecret_os_crypt_password_v2"}


@pytest.fixture
def desktop(tmp_path, monkeypatch):
    with keyring(tmp_path) as env:
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        with contextlib.closing(secretstorage.dbus_init()) as connection:
            yield secretstorage.get_default_collection(connection)


def test_the_password_is_found_by_the_browser_s_name(desktop):
    desktop.create_item("Chrome Safe Storage", {"application": "chrome", **SCHEMA}, b"a password")
    desktop.create_item("Other", {"application": "other"}, b"not this")

    assert ask(CHROME) == KeyringAnswer([b"a password"], "")
    assert ask(KeyringQuestion(["opera", "chrome"], "Opera")) == KeyringAnswer([b"a password"], "")
    assert ask(KeyringQuestion(["brave"], "Brave")) == KeyringAnswer([], "not_found")


def test_a_locked_keyring_that_nobody_unlocks(desktop):
    desktop.create_item("Chrome Safe Storage", {"application": "chrome", **SCHEMA}, b"a password")
    desktop.lock()

    assert ask(CHROME) == KeyringAnswer([], "denied")


def test_there_is_no_bus(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)

    assert ask(CHROME) == KeyringAnswer([], "no_keyring")


@contextlib.contextmanager
def wallet(folder: Path) -> Iterator[str]:
    """Start a bus with a program on it that answers as kwalletd does."""
    if not where("dbus-daemon"):
        pytest.skip("dbus-daemon is not here")
    with bus(folder, dict(os.environ)) as address:
        program = Path(__file__).parents[1] / "support" / "kwallet.py"
        run = subprocess.Popen(
            [sys.executable, program, address], stdout=subprocess.PIPE, text=True
        )
        try:
            assert run.stdout
            assert run.stdout.readline() == "ready\n"
            yield address
        finally:
            run.kill()
            run.communicate(timeout=HANG_S)


def test_the_password_is_found_in_kwallet(tmp_path, monkeypatch):
    with wallet(tmp_path) as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)

        assert ask(CHROME) == KeyringAnswer([b"from the wallet"], "")
        assert ask(KeyringQuestion(["brave"], "Brave")) == KeyringAnswer([], "not_found")
        assert ask(KeyringQuestion(["refused"], "refused")) == KeyringAnswer([], "denied")
