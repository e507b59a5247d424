"""How far a run is: a line on stderr each second at a terminal, else each ten, and the end."""

import sys
from collections import Counter, deque
from typing import Any

from browse.core.text import counted
from browse.fleet.visit import PageOutcome, PageState

SPAN_S = 30.0
TERMINAL_S, ELSEWHERE_S = 1.0, 10.0
MAX_KINDS = 6


class RunProgress:
    """Counts pages and failures by kind; tells the rate and when it will be done."""

    def __init__(self, total: int, before: dict[PageState, int], now: float) -> None:
        self.total = total
        self.states = Counter(before)
        self.kinds: Counter[str] = Counter()
        self.workers: Counter[str] = Counter()
        self.retried = 0
        self.under_way = 0
        self._began = now
        self._before = sum(before.values())
        self._recent: deque[tuple[float, int]] = deque([(now, self._before)])
        self._told = now
        self._live = sys.stderr.isatty()

    @property
    def ended(self) -> int:
        return sum(self.states.values())

    def add(self, outcome: PageOutcome) -> None:
        self.states[outcome.state] += 1
        self.workers[outcome.worker] += bool(outcome.worker)
        if outcome.state is not PageState.DONE:
            self.kinds[outcome.code] += 1

    def tick(self, now: float, *, slots: int) -> None:
        """Print a line if it is time for one."""
        self._recent.append((now, self.ended))
        while now - self._recent[0][0] > SPAN_S:
            self._recent.popleft()
        if now - self._told >= (TERMINAL_S if self._live else ELSEWHERE_S):
            self._told = now
            end = "\x1b[K\r" if self._live else "\n"
            print(self.line(now, slots=slots), end=end, file=sys.stderr, flush=True)

    def line(self, now: float, *, slots: int) -> str:
        parts = [f"{self.ended:,} of {self.total:,}"]
        if not slots:
            parts.append("no worker is there; waiting for one")
        elif rate := self.rate(now):
            left = (self.total - self.ended) / rate
            parts += [f"{rate:.1f}/s", f"{_spelled(left)} left"]
        parts.append(f"{self.under_way} under way")
        return " · ".join([*parts, *self._failures()])

    def rate(self, now: float) -> float:
        """Return the pages per second of the last half minute."""
        since, then = self._recent[0]
        return (self.ended - then) / (now - since) if now > since else 0.0

    def facts(self, now: float) -> dict[str, Any]:
        """Return the run as data."""
        seconds = max(now - self._began, 1e-9)
        return {
            "total": self.total,
            **{state.value: self.states[state] for state in PageState},
            "before": self._before,
            "retried": self.retried,
            "seconds": round(seconds, 3),
            "perSecond": round((self.ended - self._before) / seconds, 2),
            "failures": dict(self.kinds.most_common()),
            "workers": dict(sorted(self.workers.items())),
        }

    def summary(self, now: float) -> str:
        """Say in a line or two how the run ended."""
        facts = self.facts(now)
        line = f"{counted(facts['done'], 'page')} of {self.total:,} done"
        line += f" in {_spelled(facts['seconds'])}, {facts['perSecond']:g} a second"
        return "\n".join([line, *(f"  {it}" for it in self._failures())])

    def _failures(self) -> list[str]:
        most = ", ".join(f"{kind} {number:,}" for kind, number in self.kinds.most_common(MAX_KINDS))
        failed, unknown = self.states[PageState.FAILED], self.states[PageState.UNKNOWN]
        named = [f"{failed:,} failed"] * bool(failed) + [f"{unknown:,} unknown"] * bool(unknown)
        return [f"{', '.join(named)}{f' ({most})' if most else ''}"] if named else []


def _spelled(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest:.0f} s" if minutes else f"{rest:.1f} s"
