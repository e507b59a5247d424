"""A program that answers on a bus as kwalletd6 does; the address of the bus is its argument."""

import sys

from jeepney import HeaderFields, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

ENTRIES = {("Chrome Keys", "Chrome Safe Storage"): "from the wallet"}


def main(address: str) -> None:
    connection = open_dbus_connection(address)
    connection.send_and_get_reply(message_bus.RequestName("org.kde.kwalletd6"))
    print("ready", flush=True)
    while True:
        asked = connection.receive()
        if asked.header.message_type is MessageType.method_call:
            connection.send(answer(asked))


def answer(asked):
    match asked.header.fields[HeaderFields.member], asked.body:
        case "networkWallet", _:
            return new_method_return(asked, "s", ("kdewallet",))
        case "open", ("kdewallet", _, "browse"):
            return new_method_return(asked, "i", (7,))
        case "readPassword", (7, "refused Keys", _, _):
            return new_error(asked, "org.freedesktop.DBus.Error.AccessDenied")
        case "readPassword", (7, folder, key, "browse"):
            return new_method_return(asked, "s", (ENTRIES.get((folder, key), ""),))
        case _:
            return new_error(asked, "org.freedesktop.DBus.Error.UnknownMethod")


if __name__ == "__main__":
    main(sys.argv[1])
