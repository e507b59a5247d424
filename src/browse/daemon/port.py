"""Bind a port on loopback."""

import errno
import secrets
import socket

from browse.core.errors import BrowseError, Code

LOW, HIGH = 10_000, 60_000
TRIES = 5
# Where side panels look for a daemon that starts with a window.
OF_WINDOW = 34_567
BACKLOG = 128


def bind(wanted: int | None, *, headed: bool = False) -> socket.socket:
    """Bind the wanted port, or a random free one; with a window, its usual one is tried first."""
    if wanted is not None:
        return _bind(wanted)
    for tried in range(TRIES - 1):
        try:
            return _bind(OF_WINDOW if headed and not tried else _random())
        except BrowseError:
            continue
    return _bind(_random())


def _random() -> int:
    return LOW + secrets.randbelow(HIGH - LOW + 1)


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(BACKLOG)
    except OSError as exc:
        listener.close()
        if exc.errno == errno.EADDRINUSE:
            raise BrowseError(
                Code.PORT_IN_USE,
                f"Port {port} is in use.",
                hint="choose another with BROWSE_PORT, or unset it for a free one",
            ) from exc
        raise BrowseError(
            Code.PORT_IN_USE,
            f"Port {port} on 127.0.0.1 cannot be bound: {exc.strerror}.",
            hint="allow listening on loopback (a sandbox may forbid it), or set BROWSE_PORT",
        ) from exc
    listener.setblocking(False)
    return listener
