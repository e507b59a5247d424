"""How long a terminal is kept."""

import time

from browse.terminal.lease import TerminalLease


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def lease(clock: Clock) -> TerminalLease:
    return TerminalLease(life_s=100, detached_s=10, clock=clock)


def test_use_begins_it_anew():
    clock = Clock()
    kept = lease(clock)
    kept.attach()
    clock.now = 90
    kept.use()
    clock.now = 180

    assert kept.left_s == 10


def test_alone_it_ends_sooner():
    clock = Clock()
    kept = lease(clock)
    kept.attach()
    clock.now = 50
    kept.detach()
    clock.now = 55

    assert kept.left_s == 5


def test_one_that_nobody_ever_attached_to_counts_as_alone():
    assert lease(Clock()).left_s == 10


def test_time_asleep_does_not_count():
    # The other clock that there is, `elapsed`, goes on while the machine sleeps.
    assert TerminalLease(life_s=1, detached_s=1)._clock is time.monotonic


def test_an_ended_one_is_never_revived():
    clock = Clock()
    kept = lease(clock)
    clock.now = 10
    kept.use()
    kept.attach()

    assert kept.left_s == 0
    clock.now = 0
    assert kept.left_s == 0


def test_it_can_be_ended_early():
    kept = lease(Clock())
    kept.end()

    assert kept.left_s == 0
