"""Time that only goes forward."""

import time


def elapsed() -> float:
    """Return seconds since some fixed moment: sleep included, independent of the wall clock."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux; elsewhere the next best
    return time.clock_gettime(boot) if boot is not None else time.monotonic()
