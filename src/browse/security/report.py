"""Statistics of the log of attempts: by day, kind, reason, source and host.

Reads every generation, line by line, and skips lines that are not entries. Words that others could
have chosen are not repeated: a reason counts by its first word, addresses are hashes.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from browse.core.errors import BrowseError, Code
from browse.core.log_file import aged
from browse.security.attempts import GENERATIONS, Outcome

MAX_LINE_BYTES = 64 * 1024
MAX_NAMES = 5000
MAX_LISTED = 100
OTHER = "(other)"
HASH_CHARS = 12
# Of entries that do not say it; the rest was refused.
OUTCOMES = {"content_warn": Outcome.WARNED, "content_log_only": Outcome.NOTED}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}")
_HASH = re.compile(r"[0-9a-f]{64}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class AttemptReport(msgspec.Struct):
    """Counts of attempts. `dropped`: too many to write; `unreadable`: no valid entries."""

    entries: int = 0
    dropped: int = 0
    unreadable: int = 0
    days: Counter[str] = msgspec.field(default_factory=Counter)
    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    sources: Counter[str] = msgspec.field(default_factory=Counter)
    hosts: Counter[str] = msgspec.field(default_factory=Counter)
    by_day: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    outcomes: Counter[Outcome] = msgspec.field(default_factory=Counter)

    def add(self, day: str, entry: dict[str, Any]) -> None:
        kind = _name(entry.get("kind"))
        self.entries += 1
        self.outcomes[_outcome(kind, entry.get("outcome"))] += 1
        self.days[day] += 1
        _count(self.kinds, kind)
        _count(self.by_day.setdefault(day, Counter()), kind)
        _count(self.reasons, _name(str(entry.get("reason", "")).partition(":")[0]))
        _count(self.sources, _hash(entry.get("source")))
        _count(self.hosts, _hash(entry.get("host")))
        dropped = entry.get("droppedSinceLastWrite")
        self.dropped += dropped if isinstance(dropped, int) and dropped > 0 else 0

    def facts(self) -> dict[str, Any]:
        """Return the counts as data; none of it was written by a page."""
        return {
            "entries": self.entries,
            "outcomes": {it.value: self.outcomes[it] for it in Outcome},
            "dropped": self.dropped,
            "unreadable": self.unreadable,
            "byDay": [{"day": day, "kinds": dict(self.by_day[day])} for day in sorted(self.days)],
            "byKind": _counted(self.kinds),
            "byReason": _counted(self.reasons),
            "bySource": _counted(self.sources),
            "byHost": _counted(self.hosts),
        }


def first_day(days: int) -> str:
    """Return the first of the last so many days, today included: `2026-01-31`."""
    return (datetime.now(UTC) - timedelta(days=days - 1)).date().isoformat()


def read(path: Path, *, since: str) -> AttemptReport:
    """Count the entries from a day on (`2026-01-31`); blocks."""
    report = AttemptReport()
    for file in (*reversed(aged(path, GENERATIONS)), path):
        for line in _lines(file):
            entry = _entry(line)
            day = str(entry.get("ts", ""))[:10] if entry else ""
            if entry is None or not _DAY.fullmatch(day):
                report.unreadable += 1
            elif day >= since:
                report.add(day, entry)
    return report


def _counted(names: Counter[str]) -> list[dict[str, object]]:
    return [{"name": name, "count": count} for name, count in names.most_common(MAX_LISTED)]


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES):
                yield line
    except FileNotFoundError:  # there are not so many generations yet
        return
    except OSError as exc:
        raise BrowseError(
            Code.STATE_UNUSABLE,
            f"Cannot read {path}: {exc.strerror}.",
            hint=f"fix its permissions, or put it aside: mv {path} {path}.damaged",
        ) from exc


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        return None


def _count(names: Counter[str], name: str) -> None:
    """Count a name; beyond a limit, new names are counted together."""
    if name:
        names[name if name in names or len(names) < MAX_NAMES else OTHER] += 1


def _outcome(kind: str, said: Any) -> Outcome:
    try:
        return Outcome(said)
    except ValueError:
        return OUTCOMES.get(kind, Outcome.REFUSED)


def _name(value: Any) -> str:
    return value if isinstance(value, str) and _NAME.fullmatch(value) else OTHER


def _hash(value: Any) -> str:
    if value is None:
        return ""
    return value[:HASH_CHARS] if isinstance(value, str) and _HASH.fullmatch(value) else OTHER
