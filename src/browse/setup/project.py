"""Checks of the project that `doctor` is called in: its state folder and its daemon."""

import http.client
import os
import stat

from browse import _where
from browse.setup.check import Check, Scene, is_writable, nearest_folder

HEALTH_SECONDS = 3


def state_folder(scene: Scene) -> Check:
    """Check whether the daemon's state can be stored, and kept private."""
    folder = scene.paths.state_dir
    fix = "Fix its permissions, or choose another place: BROWSE_STATE_FILE=/path/browse.json"
    if not folder.exists():
        above = nearest_folder(folder)
        if not is_writable(above):
            return Check("state folder", False, f"{folder} cannot be made in {above}", fix)
        return Check("state folder", True, f"{folder} will be made by the first command")
    if not is_writable(folder):
        return Check("state folder", False, f"{folder} cannot be written", fix)
    about = folder.stat()
    if about.st_uid != os.getuid():
        return Check("state folder", False, f"{folder} belongs to another user", fix)
    mode = stat.S_IMODE(about.st_mode)
    if mode & 0o077:
        detail = f"{folder} is open to other users (mode {mode:04o})"
        return Check("state folder", False, detail, f"chmod 700 {folder}")
    return Check("state folder", True, f"{folder} is private and can be written")


def daemon(scene: Scene) -> Check:
    """Check whether a daemon runs for this project and answers."""
    path = scene.paths.state_file
    try:
        state = _where.read_state(str(path))
    except _where.UnusableState as exc:
        return Check("daemon", False, f"{path} cannot be used: {exc}", f"rm {path}")
    if state is None:
        return Check("daemon", True, "none is running; the first command starts one")
    if not _where.daemon_lives(state):
        return Check("daemon", True, "the last one has ended; the next command starts another")
    who = f"pid {state['pid']}, port {state['port']}"
    if wrong := _ask_health(int(state["port"])):
        fix = "Wait for it, or replace it: browse status --force-restart"
        return Check("daemon", False, f"{who} does not answer: {wrong}", fix)
    return Check("daemon", True, f"running, {who}")


def _ask_health(port: int) -> str:
    """Ask a daemon for its health; return "" when it answers at all."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HEALTH_SECONDS)
    try:
        connection.request("GET", "/health")
        connection.getresponse().read(4096)
    except (OSError, http.client.HTTPException) as exc:
        return str(exc) or type(exc).__name__
    finally:
        connection.close()
    return ""
