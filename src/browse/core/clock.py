"""Time that only goes forward."""

import time
from datetime import UTC, datetime


def elapsed() -> float:
    """Return seconds since some fixed moment: sleep included, independent of the wall clock."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux; elsewhere the next best
    return time.clock_gettime(boot) if boot is not None else time.monotonic()


def wall_ms() -> float:
    """Return milliseconds since 1970, as pages and extensions on this machine count them."""
    return time.time() * 1000


def stamp(moment: datetime | None = None) -> str:
    """Spell a moment, else this one, as all our files do: `2026-01-31T10:00:00.000Z`."""
    return (moment or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
