"""Bind a port on loopback."""

import errno
import secrets
import socket

from browse.core.errors import BrowseError, Code

LOW, HIGH = 10_000, 60_000
TRIES = 5
BACKLOG = 128


def bind(wanted: int | None) -> socket.socket:
    """Bind the wanted port, or a random free one."""
    if wanted is not None:
        return _bind(wanted)
    for _ in range(TRIES - 1):
        try:
            return _bind(LOW + secrets.randbelow(HIGH - LOW + 1))
        except BrowseError:
            continue
    return _bind(LOW + secrets.randbelow(HIGH - LOW + 1))


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
