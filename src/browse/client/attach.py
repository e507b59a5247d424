"""`--cdp`: attach the daemon to a browser that runs, instead of starting one."""

import os

from browse import _exit, _where
from browse.client import endpoint
from browse.client.wire import Failure

FLAG = "--cdp"
SETTING = "BROWSE_CDP_URL"


def taken(words: list[str]) -> list[str]:
    """Return the words without `--cdp <address>`, which a daemon that is started now will use."""
    at = next(i for i, word in enumerate(words) if word.partition("=")[0] == FLAG)
    _, given, address = words[at].partition("=")
    after = at + 1 if given else at + 2
    if not given and len(words) > at + 1 and not words[at + 1].startswith("-"):
        address = words[at + 1]
    if not address:
        raise Failure(
            _exit.USAGE,
            "--cdp needs the browser to attach to: a port, http://host:port, ws://…, or extension.",
            "Usage: browse --cdp 9222 status",
        )
    os.environ[SETTING] = address
    return words[:at] + words[after:]


def require_there(path: str) -> None:
    """Raise if a daemon runs that is not attached to the browser that was asked for."""
    daemon, address = endpoint.living(path), _where.cdp_address(os.environ[SETTING])
    if daemon is None or daemon.cdp == address:
        return
    has = f"is attached to {_shown(daemon.cdp)}" if daemon.cdp else "has a browser of its own"
    raise Failure(
        _exit.USAGE,
        f"The daemon of this project (pid {daemon.pid}) {has}, so it is not attached to"
        f" {_shown(address)}; nothing was done.",
        "Type `browse restart --cdp <address>` to end it (its tabs are lost) and attach.",
    )


def keep(daemon: endpoint.Daemon | None) -> None:
    """Have the next daemon attach where the one before was attached."""
    if daemon is not None and daemon.cdp and not os.environ.get(SETTING):
        os.environ[SETTING] = daemon.cdp


def is_asked_for() -> bool:
    """Check whether a daemon that is started now attaches to a browser."""
    return bool(os.environ.get(SETTING) or os.environ.get("BROWSE_CDP_PORT"))


def _shown(address: str) -> str:
    """Return the host and the port of an address: the rest may be a key."""
    if address == _where.EXTENSION:
        return "your Chrome, through the extension"
    return address.partition("//")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]
