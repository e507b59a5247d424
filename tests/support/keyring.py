"""A real Secret Service on a bus of its own: Debian's dbus and gnome-keyring."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from tools.programs import where

from support.cli import HANG_S, until

NEEDED = ("dbus-daemon", "gnome-keyring-daemon")
CONFIG = """<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/>
<allow own="*"/></policy></busconfig>"""


def runtime_folder() -> tempfile.TemporaryDirectory[str]:
    """Make a folder for sockets: their paths are at most 108 characters long."""
    return tempfile.TemporaryDirectory(prefix="keyring-", dir="/tmp")


@contextlib.contextmanager
def keyring(folder: Path) -> Iterator[dict[str, str]]:
    """Start a bus and an unlocked keyring on it; yield the environment that leads there."""
    if missing := [program for program in NEEDED if not where(program)]:
        pytest.skip(f"{missing[0]} is not here")
    home = folder / "keyring-home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home)}
    with runtime_folder() as run, bus(folder, env) as address:
        env |= {"XDG_RUNTIME_DIR": run, "DBUS_SESSION_BUS_ADDRESS": address}
        service = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert service.stdin
            service.stdin.write(b"the keyring's password\n")
            service.stdin.close()
            until(lambda: _is_there(address), what="the keyring on the bus")
            yield {"XDG_RUNTIME_DIR": run, "DBUS_SESSION_BUS_ADDRESS": address}
        finally:
            service.kill()
            service.wait(HANG_S)


def _is_there(address: str) -> bool:
    with contextlib.closing(open_dbus_connection(address)) as connection:
        asked = message_bus.NameHasOwner("org.freedesktop.secrets")
        return bool(connection.send_and_get_reply(asked).body[0])


@contextlib.contextmanager
def bus(folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Start a bus on which no service is started by asking for it; yield its address."""
    config = folder / "bus.conf"
    config.write_text(CONFIG)
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile", "--print-address=1"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert daemon.stdout
        yield daemon.stdout.readline().strip()
    finally:
        daemon.kill()
        daemon.communicate(timeout=HANG_S)
