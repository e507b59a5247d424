"""How far a run is, in words and as data."""

from browse.fleet.progress import RunProgress
from browse.fleet.visit import PageOutcome, PageState


def ended(n: int, state: PageState = PageState.DONE, code: str = "") -> PageOutcome:
    return PageOutcome(n, f"http://a/{n}", state, worker="m1", code=code)


def progress() -> RunProgress:
    return RunProgress(100, {PageState.DONE: 40, PageState.FAILED: 0, PageState.UNKNOWN: 0}, 0.0)


def test_rate_and_time_left_are_those_of_this_run():
    found = progress()
    for n in range(20):
        found.add(ended(n))

    assert found.line(10.0, slots=2) == "60 of 100 · 2.0/s · 20.0 s left · 0 under way"
    assert found.facts(10.0)["perSecond"] == 2.0


def test_failures_are_told_by_kind():
    found = progress()
    for n, code in enumerate(["timeout", "timeout", "tab-crashed"]):
        found.add(ended(n, PageState.FAILED, code))
    found.add(ended(9, PageState.UNKNOWN, "unknown"))

    line = found.line(10.0, slots=2)
    assert line.endswith("3 failed, 1 unknown (timeout 2, tab-crashed 1, unknown 1)")
    assert found.facts(10.0)["failures"] == {"timeout": 2, "tab-crashed": 1, "unknown": 1}


def test_a_fleet_without_workers_says_so():
    assert "no worker is there" in progress().line(1.0, slots=0)
