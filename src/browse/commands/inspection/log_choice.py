"""What `console` and `network` show of their logs: which entries, and how many."""

import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

from browse.browser.logs.ring_buffer import RingBuffer
from browse.core.errors import Usage
from browse.guard.credentials import masked
from browse.registry.params import Doc, Param, Surroundings, whole
from browse.registry.results import ENTRY_SPAN, Entry, PageText, Text, log_text


class Timed(Protocol):
    """An entry of a log."""

    @property
    def at(self) -> float:
        """When it came."""
        ...


T = TypeVar("T", bound=Timed)
_AGO = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
_STATUS = re.compile(r"[1-5](?:[0-9]{2}|xx)|failed|pending")
MOMENTS = "5m (ago), a time such as 2026-01-31T10:00:00Z, or a cursor that `--last 1` names"
LEVELS = (
    "log", "debug", "info", "warning", "error", "assert", "dir", "dirxml", "table", "trace",
    "clear", "count", "timeEnd", "startGroup", "startGroupCollapsed", "endGroup", "profile",
    "profileEnd",
)  # fmt: skip
KINDS = (
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "prefetch", "eventsource", "websocket", "manifest", "signedexchange", "ping",
    "cspviolationreport", "preflight", "fedcm", "other",
)  # fmt: skip
_ALSO = {"warn": "warning", "verbose": "debug", "css": "stylesheet", "js": "script", "img": "image"}


class Since(msgspec.Struct, frozen=True):
    """From where on a log is shown: a moment, or the number of an entry."""

    at: float = 0.0
    number: int = 0


def _since(raw: str, _: Surroundings) -> Since:
    word = raw.strip()
    if word.isdecimal() and int(word[:16]) >= ENTRY_SPAN:
        return Since(number=int(word[:16]) // ENTRY_SPAN)
    now = time.time()
    if ago := _AGO.fullmatch(word):
        return Since(at=now - int(ago[1]) * _SECONDS[ago[2]])
    try:
        moment = datetime.fromisoformat("" if word.isdecimal() else word)
        at = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as exc:
        raise Usage(f"{raw[:40]!r} is no moment and no cursor", hint=f"give {MOMENTS}") from exc
    if at > now:
        shown = datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
        raise Usage(f"{raw[:40]!r} is yet to come: it is {shown}", hint=f"give {MOMENTS}")
    return Since(at=at)


def _some_of(known: tuple[str, ...], what: str) -> Callable[[str, Surroundings], frozenset[str]]:
    names = {name.lower(): name for name in known}

    def parse(raw: str, _: Surroundings) -> frozenset[str]:
        words = [_ALSO.get(word, word) for word in _listed(raw)]
        for word in words or [raw]:
            if word not in names:
                known_ones = ", ".join(known)
                raise Usage(f"{word[:40]!r} is no {what}", hint=f"give some of {known_ones}")
        return frozenset(names[word] for word in words)

    return parse


def _text(raw: str, _: Surroundings) -> str:
    if not raw.strip():
        raise Usage("the text is empty", hint="give some words of it, such as --filter timeout")
    return raw


def _statuses(raw: str, _: Surroundings) -> frozenset[str]:
    words = _listed(raw)
    for word in words or [raw]:
        if not _STATUS.fullmatch(word):
            raise Usage(
                f"{word[:40]!r} is no status",
                hint="give 404, 4xx, failed (no answer came) or pending, or several: 4xx,failed",
            )
    return frozenset(words)


def _listed(raw: str) -> list[str]:
    return [word for word in (part.strip().lower() for part in raw.split(",")) if word]


Moment = Annotated[
    Since | None,
    Param("moment|cursor", _since),
    Doc("Only what came since: 5m (ago), a time as the log shows it (UTC), or a cursor."),
]
Filter = Annotated[str | None, Param("text", _text)]
Newest = Annotated[int | None, whole(1, 1_000_000), Doc("Only so many, the newest.")]
Levels = Annotated[
    frozenset[str] | None,
    Param("level,…", _some_of(LEVELS, "level of console messages")),
    Doc("Only of these levels, such as log, info, warning, error."),
]
Kinds = Annotated[
    frozenset[str] | None,
    Param("type,…", _some_of(KINDS, "type of request")),
    Doc("Only of these types, such as document, xhr, fetch, image."),
]
Statuses = Annotated[
    frozenset[str] | None,
    Param("status,…", _statuses),
    Doc("Only with these: 404, 4xx, failed (no answer came), pending."),
]


class LogChoice(msgspec.Struct, Generic[T]):
    """Which entries of a log are wanted: those that `wants` accepts and all of this is true of.

    `words` returns what of an entry is searched for `text`. `narrowed`: the caller asked `wants`
    for less than all.
    """

    wants: Callable[[T], bool]
    words: Callable[[T], str]
    text: str | None = None
    since: Since | None = None
    last: int | None = None
    narrowed: bool = False

    @property
    def is_narrow(self) -> bool:
        """Whether the caller asked for less than all there is."""
        return self.narrowed or (self.text, self.since, self.last) != (None, None, None)

    def of(self, ring: RingBuffer[T], after: int) -> list[tuple[int, T]]:
        """Return the entries with their numbers, newest first.

        `last` counts from the cursor of a reply that is continued: what came since does not count.
        """
        since = self.since or Since()
        if since.number > ring.total + 1:
            raise Usage(
                f"--since: {since.number * ENTRY_SPAN} is no cursor of this log, "
                f"which has come to {cursor(ring)}",
                hint=f"give {MOMENTS}",
            )
        newest = after // ENTRY_SPAN or ring.total
        rows = (row for row in reversed(ring.numbered()) if self._wants(*row, since))
        if self.last is None:
            return list(rows)
        return list(islice((row for row in rows if row[0] <= newest), self.last))

    def _wants(self, number: int, entry: T, since: Since) -> bool:
        recent = number >= since.number and entry.at >= since.at
        return recent and self.wants(entry) and self._has_text(entry)

    def _has_text(self, entry: T) -> bool:
        """Search the words as they are shown: a filter must not confirm what is masked."""
        if self.text is None:
            return True
        words, text = self.words(entry), self.text.casefold()
        return text in words.casefold() and text in masked(words).casefold()


def cursor(ring: RingBuffer[Any]) -> int:
    """Return the cursor of what comes next."""
    return (ring.total + 1) * ENTRY_SPAN


def shown(
    ring: RingBuffer[T], kept: Sequence[Entry], choice: LogChoice[T], source: str, field: str
) -> PageText:
    """Build the reply for entries of a log, newest first."""
    result = log_text(
        kept, source, field, oldest=ring.oldest, newest_first=True, limited=bool(choice.last)
    )
    if not choice.is_narrow:
        return result
    facts = {**result.data, "cursor": cursor(ring)}
    return msgspec.structs.replace(result, data=facts, note=_later(ring))


def nothing(ring: RingBuffer[T], choice: LogChoice[T], what: str, field: str) -> Text:
    """Build the reply where there is no entry."""
    if not choice.is_narrow:
        return Text(f"(no {what})", {field: []}, whole=True)
    words = f"(no {what} that match)\n{_later(ring)}"
    return Text(words, {field: [], "cursor": cursor(ring)}, whole=True)


def _later(ring: RingBuffer[Any]) -> str:
    return f"[only what comes later: --since {cursor(ring)}]"
