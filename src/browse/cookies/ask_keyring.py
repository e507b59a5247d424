"""Ask the keyrings of a Linux desktop for a browser's password. A process of its own runs this.

It can be ended while a keyring waits for the person or hangs, and the libraries never enter the
daemon. The password goes over a pipe, and nowhere else.
"""

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from jeepney.io.blocking import DBusConnection

APP = "browse"
WALLETS = (("org.kde.kwalletd6", "/modules/kwalletd6"), ("org.kde.kwalletd5", "/modules/kwalletd5"))
REFUSED = -1
Problem = Literal["", "no_keyring", "not_found", "denied"]


class KeyringQuestion(msgspec.Struct):
    """The names of a browser's password: in the Secret Service, and in KWallet."""

    applications: list[str]
    product: str


class KeyringAnswer(msgspec.Struct):
    """The passwords that were found, else why there is none."""

    passwords: list[bytes] = []
    problem: Problem = "no_keyring"


def ask(question: KeyringQuestion) -> KeyringAnswer:
    """Ask the Secret Service, then KWallet; the first that knows a password answers."""
    _find_bus()
    problem: Problem = "no_keyring"
    for keyring in (_secret_service, _kwallet):
        answer = keyring(question)
        if answer.passwords:
            return answer
        problem = problem if answer.problem == "no_keyring" else answer.problem
    return KeyringAnswer([], problem)


def _find_bus() -> None:
    """Find the session's bus where nobody has told us of it, as over ssh."""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    if not os.environ.get("DBUS_SESSION_BUS_ADDRESS") and Path(runtime, "bus").exists():
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={runtime}/bus"


def _secret_service(question: KeyringQuestion) -> KeyringAnswer:
    import secretstorage
    from jeepney import DBusErrorResponse

    try:
        with closing(secretstorage.dbus_init()) as bus:
            if not secretstorage.check_service_availability(bus):
                return KeyringAnswer()
            return _items(bus, question.applications)
    except (secretstorage.SecretServiceNotAvailableException, OSError):
        return KeyringAnswer()
    except (secretstorage.SecretStorageException, DBusErrorResponse):
        return KeyringAnswer([], "denied")


def _items(bus: "DBusConnection", applications: list[str]) -> KeyringAnswer:
    import secretstorage

    passwords = []
    for application in applications:
        for item in secretstorage.search_items(bus, {"application": application}):
            if item.is_locked() and item.unlock():
                return KeyringAnswer([], "denied")
            passwords.append(item.get_secret())
    return KeyringAnswer(passwords, "" if passwords else "not_found")


def _kwallet(question: KeyringQuestion) -> KeyringAnswer:
    from jeepney import DBusErrorResponse
    from jeepney.io.blocking import open_dbus_connection

    try:
        with closing(open_dbus_connection()) as bus:
            asked = (_wallet_entry(bus, *wallet, question.product) for wallet in WALLETS)
            return next((it for it in asked if it.problem != "no_keyring"), KeyringAnswer())
    except DBusErrorResponse:
        return KeyringAnswer([], "denied")
    except (KeyError, OSError, ValueError):  # there is no bus
        return KeyringAnswer()


def _wallet_entry(bus: "DBusConnection", name: str, path: str, product: str) -> KeyringAnswer:
    from jeepney import DBusAddress, new_method_call
    from jeepney.bus_messages import message_bus
    from jeepney.wrappers import unwrap_msg

    wallet = DBusAddress(path, name, "org.kde.KWallet")

    def call(method: str, signature: str | None = None, *body: object) -> object:
        asked = new_method_call(wallet, method, signature, body)
        return unwrap_msg(bus.send_and_get_reply(asked))[0]

    if not unwrap_msg(bus.send_and_get_reply(message_bus.NameHasOwner(name)))[0]:
        return KeyringAnswer()
    handle = call("open", "sxs", call("networkWallet"), 0, APP)
    if handle == REFUSED:
        return KeyringAnswer([], "denied")
    entry = f"{product} Keys", f"{product} Safe Storage"
    key = call("readPassword", "isss", handle, *entry, APP)
    return KeyringAnswer([str(key).encode()], "") if key else KeyringAnswer([], "not_found")


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=KeyringQuestion)
    sys.stdout.buffer.write(msgspec.json.encode(ask(given)))
