"""The state file, with which clients find this daemon: JSON, one key a line, mode 0600."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import browse
from browse import _where
from browse.core.files import write_private


def publish(
    path: Path,
    *,
    port: int,
    token: str,
    started: str,
    mode: str = "launched",
    tunnel: Mapping[str, Any] | None = None,
) -> None:
    """Write the state file."""
    state: dict[str, Any] = {
        "pid": os.getpid(),
        "port": port,
        "token": token,
        "startedAt": started,
        "serverPath": str(Path(__file__).parent),
        "binaryVersion": browse.__version__,
        "binaryInstalled": _where.installed(),
        "mode": mode,
        "pidStart": _where.pid_start(os.getpid()),
    }
    if tunnel:
        state["tunnel"] = {"url": tunnel["url"], "startedAt": tunnel["since"]}
        state["tunnelLocalPort"] = tunnel["port"]
    write_private(path, (json.dumps(state, indent=2) + "\n").encode())


class StateFile:
    """The state file of a daemon that serves; it is written again when a fact in it changes."""

    def __init__(self, path: Path, *, port: int, token: str, started: str) -> None:
        self._path = path
        self._facts: dict[str, Any] = {"port": port, "token": token, "started": started}

    def publish(self, **changed: Any) -> None:
        """Write the file, with these facts changed: `mode`, `tunnel`."""
        self._facts |= changed
        publish(self._path, **self._facts)


def withdraw(path: Path) -> None:
    """Remove the state file, unless it belongs to a newer daemon."""
    try:
        state = _where.read_state(str(path))
    except _where.UnusableState:
        return
    if state and int(state["pid"]) == os.getpid():
        path.unlink(missing_ok=True)
