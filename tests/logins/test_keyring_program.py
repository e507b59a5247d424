import os
import shlex
import shutil
import subprocess
import sys

import msgspec
import pytest

from browse.logins import keyring_program
from browse.logins.key_store import PROGRAM
from browse.logins.keyring_program import KeptKey
from support.keyring import runtime_folder
from support.programs import a_program

needs_keyring = pytest.mark.skipif(
    sys.platform == "darwin"
    or not (shutil.which("gnome-keyring-daemon") and shutil.which("dbus-run-session")),
    reason="needs dbus-run-session and gnome-keyring-daemon",
)


def asked(*words: str, value: str = "", around: str = "", **env: str) -> list[KeptKey]:
    """Run the program once for each word, one after the other."""
    runs = "; ".join(f"echo '{value}' | {shlex.join(PROGRAM)} {word} logins-1" for word in words)
    ran = subprocess.run(
        [*around.split(), "sh", "-c", f"{env.pop('before', 'true')}; {runs}"],
        env={"PATH": os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        check=True,
    )
    return [msgspec.json.decode(line, type=KeptKey) for line in ran.stdout.splitlines()]


@needs_keyring
def test_a_real_secret_service_keeps_the_value(tmp_path):
    unlocked = "echo pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null"

    with runtime_folder() as run:
        found = asked(
            "get",
            "set",
            "get",
            value="k3y",
            around="dbus-run-session --",
            before=unlocked,
            HOME=str(tmp_path),
            XDG_RUNTIME_DIR=run,
        )

    assert found == [
        KeptKey("empty"),
        KeptKey("written"),
        KeptKey("found", "k3y"),
    ]


@pytest.mark.skipif(sys.platform == "darwin", reason="every Mac has a keychain")
@pytest.mark.parametrize("bus", ["", "unix:path=/nowhere/bus"])
def test_a_machine_without_a_secret_service_says_so(bus, tmp_path):
    address = {"DBUS_SESSION_BUS_ADDRESS": bus} if bus else {}

    assert asked("get", HOME=str(tmp_path), **address) == [KeptKey("absent")]


def test_the_keychain_gets_the_value_on_stdin_only(tmp_path, monkeypatch):
    kept, words = tmp_path / "kept", tmp_path / "words"
    security = a_program(
        tmp_path / "security",
        f"""echo "$*" >> '{words}'
case $1 in
  -i) read -r line; echo "${{line##* }}" > '{kept}' ;;
  *) [ -e '{kept}' ] && cat '{kept}' || exit 44 ;;
esac""",
    )
    monkeypatch.setattr(keyring_program, "SECURITY", str(security))

    found = [keyring_program._keychain("logins-1", it) for it in ("", "k3y", "")]

    assert found == [
        KeptKey("empty"),
        KeptKey("written"),
        KeptKey("found", "k3y"),
    ]
    assert "k3y" not in words.read_text()
