"""Time that only goes forward."""

import time


def elapsed() -> float:
    """Count seconds from some fixed moment: sleep included, whatever happens to the wall clock."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux; elsewhere the next best
    return time.clock_gettime(boot) if boot is not None else time.monotonic()
