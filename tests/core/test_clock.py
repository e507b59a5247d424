"""Time that only goes forward."""

import time

from browse.core.clock import elapsed

# The two clocks need not tick together.
TICK_S = 0.02


def test_it_goes_forward_and_counts_seconds():
    outer = time.monotonic()
    before = elapsed()
    inner = time.monotonic()
    sum(range(10_000))
    least = time.monotonic() - inner
    passed = elapsed() - before
    most = time.monotonic() - outer

    assert passed > 0
    assert least - TICK_S <= passed <= most + TICK_S
