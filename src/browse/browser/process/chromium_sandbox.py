"""Whether Chromium uses its own sandbox here: it does wherever it can, unless told otherwise."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache

from browse.browser.process.chromium import System

PROBE_S = 5.0
# What Chromium's own sandbox needs: a user, a process and a network namespace.
_PROBE = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x70000000) != 0)"


def why_no_sandbox(
    *,
    off: bool | None,
    contained: bool,
    system: System | None = None,
    works: Callable[[], bool] | None = None,
) -> str:
    """Return why Chromium runs without its sandbox here; "" if it uses it.

    `off` is the user's choice, None for none. `contained`: a variable says that this is a
    container; many of these deny Chromium what it needs, so `works` tries it there.
    """
    system = system or System.here()
    if off is not None:
        return "GSTACK_CHROMIUM_NO_SANDBOX is set" if off else ""
    if system.uid == 0:
        return "running as root"
    places = (
        (contained, "CONTAINER or CI is set"),
        ((system.root / ".dockerenv").exists(), "inside a Docker container"),
        ((system.root / "run/.containerenv").exists(), "inside a container"),
    )
    place = next((reason for holds, reason in places if holds), "")
    return f"{place}, and namespaces are denied" if place and not (works or namespaces)() else ""


@cache
def namespaces() -> bool:
    """Try, in a process of its own, whether this user may create namespaces."""
    if sys.platform != "linux":
        return True
    try:
        command = [sys.executable, "-I", "-S", "-c", _PROBE]
        return subprocess.run(command, timeout=PROBE_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
