"""Read or write one value of the system's keyring: a program of its own, because a keyring may ask.

It prints one line, a `KeptKey` as JSON. The value comes on stdin and leaves on stdout, never
in the words of a command line. Keyrings: the Secret Service on Linux (GNOME Keyring, KWallet,
KeePassXC), the Keychain on macOS.
"""

import subprocess
import sys
from contextlib import closing
from typing import Literal

import msgspec

SERVICE = "browse"
SECURITY = "/usr/bin/security"
# What `security` ends with if there is no such item.
NOT_FOUND = 44
State = Literal["found", "empty", "written", "absent", "refused"]


class KeptKey(msgspec.Struct):
    """How it went: `absent` is a system without a keyring, `refused` one that stays locked."""

    state: State
    value: str = ""


def main(words: list[str]) -> KeptKey:
    """Do what the words say: `get <account>`, or `set <account>` with the value on stdin."""
    action, account = words
    value = sys.stdin.read().strip() if action == "set" else ""
    place = _keychain if sys.platform == "darwin" else _secret_service
    return place(account, value)


def _secret_service(account: str, value: str) -> KeptKey:
    import secretstorage  # only this program needs it
    from secretstorage.exceptions import SecretServiceNotAvailableException

    attributes = {"application": SERVICE, "account": account}
    try:
        with closing(secretstorage.dbus_init()) as bus:
            collection = secretstorage.get_default_collection(bus)
            if collection.is_locked() and collection.unlock():
                return KeptKey("refused")
            if value:
                collection.create_item(f"{SERVICE} {account}", attributes, value.encode(), True)
                return KeptKey("written")
            item = next(collection.search_items(attributes), None)
            return KeptKey("found", item.get_secret().decode()) if item else KeptKey("empty")
    except (SecretServiceNotAvailableException, OSError):  # no service, no bus
        return KeptKey("absent")


def _keychain(account: str, value: str) -> KeptKey:
    where = ["-s", SERVICE, "-a", account]
    if value:
        # As a line of its stdin: the words of a process are shown to everybody by `ps`.
        line = " ".join(["add-generic-password", "-U", *where, "-w", value])
        ran = subprocess.run([SECURITY, "-i"], input=f"{line}\n".encode(), capture_output=True)
        return KeptKey("refused" if ran.returncode else "written")
    ran = subprocess.run([SECURITY, "find-generic-password", *where, "-w"], capture_output=True)
    if ran.returncode:
        return KeptKey("empty" if ran.returncode == NOT_FOUND else "refused")
    return KeptKey("found", ran.stdout.decode("utf-8", "replace").strip())


if __name__ == "__main__":
    try:
        answer = main(sys.argv[1:])
    except Exception:  # the value may be in its words, so nothing of it is shown
        answer = KeptKey("refused")
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
