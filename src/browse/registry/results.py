"""The results of handlers: their types say who wrote the text.

`Text` is ours. `PageText` is the page's and cannot leave without the envelope. `SkillOutput` is
what a script printed for other programs, `Relayed` what was rendered before. Every result also has
its facts as data for `--json`; there, everything below a key named `page` was written by the page,
at any depth.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from browse.security.blocks import Block

Data = Mapping[str, Any]


def from_page(**fields: Any) -> dict[str, Any]:
    """Mark fields of a result's data as page words."""
    return {"page": fields}


# The cursor of a log is the number of an entry times this, plus characters of that entry. No entry
# has as many: a console message has 4,000 characters, each of which may be a line.
ENTRY_SPAN = 100_000


class Entries(msgspec.Struct, frozen=True):
    """The entries of a log, so that the pages of a reply fit together although the log grows.

    `numbers` has the number of the entry for each line of the text; it never changes. The data has
    one item for each entry. `oldest` is the first entry that the log still has. `limited`: only so
    many entries were asked for, so the next page has to ask for those that are left.
    """

    numbers: Sequence[int]
    oldest: int
    newest_first: bool = False
    limited: bool = False

    @property
    def each(self) -> list[int]:
        """The numbers of the entries without duplicates: an entry may have several lines."""
        return list(dict.fromkeys(self.numbers))

    def place(self, cursor: int) -> int:
        """Return which item a cursor points to; its entry may be gone."""
        sign = -1 if self.newest_first else 1
        return bisect_left(self.each, sign * (cursor // ENTRY_SPAN), key=lambda it: sign * it)


class Text(msgspec.Struct, frozen=True):
    """Our own words about what happened, and below them page words, if any.

    `whole`: never cut, because a part of it is of no use. `judged`: the page words were screened
    already.
    """

    text: str
    data: Data = msgspec.field(default_factory=dict)
    page: str = ""
    source: str = ""
    whole: bool = False
    judged: bool = False
    entries: Entries | None = None


class PageText(msgspec.Struct, frozen=True):
    """Page words, with their address, and below them a note of ours.

    `ranks`, one for each line, say which lines matter most if not all fit into a reply. `more`
    lines, which rank below all of these, were not even built, because they do not fit. `unread`:
    the text goes on, nobody knows how far, and was not read because it does not fit. `left`: so
    many more items has the longest list of the data, which were not read for the same reason.
    `entries` is set if the lines are those of a log, which grows.
    `hidden` is the hidden text of the page; it was left out, unless the command shows the content
    unchanged (`keeps_hidden`).
    """

    text: str
    source: str
    data: Data = msgspec.field(default_factory=dict)
    ranks: Sequence[int] = ()
    note: str = ""
    hidden: Sequence[Block] = ()
    keeps_hidden: bool = False
    entries: Entries | None = None
    more: int = 0
    unread: bool = False
    left: int = 0


class Relayed(msgspec.Struct, frozen=True):
    """Replies of other commands, already rendered, each with our label."""

    text: str
    data: Data = msgspec.field(default_factory=dict)


class SkillOutput(msgspec.Struct, frozen=True):
    """The JSON document that a skill printed: words of a page or of the script, not trusted.

    Programs read it, so it is not wrapped, cut or masked; only control characters become visible.
    In JSON it is below `page`. A `warning` of ours about it goes to stderr.
    """

    text: str
    output: Any
    log: Sequence[str] = ()
    facts: Data = msgspec.field(default_factory=dict)
    warning: str = ""

    @property
    def data(self) -> Data:
        return {**self.facts, **from_page(output=self.output, log=list(self.log))}

    @property
    def words(self) -> str:
        """All strings of the document, each on its own line."""
        found: list[str] = []
        waiting = [self.output]
        while waiting:
            match waiting.pop():
                case str() as text:
                    found.append(text)
                case dict() as fields:
                    waiting += [it for pair in reversed(fields.items()) for it in reversed(pair)]
                case list() as items:
                    waiting += reversed(items)
        return "\n".join(found)


class Entry(NamedTuple):
    """An entry of a log with page words: its number, its text and its data."""

    number: int
    text: str
    data: Data


def log_text(
    kept: Sequence[Entry],
    source: str,
    field: str,
    *,
    oldest: int,
    newest_first: bool = False,
    limited: bool = False,
) -> PageText:
    """Build the result for entries of a log, in their order; `oldest` is its first number."""
    numbers = [entry.number for entry in kept for _ in range(entry.text.count("\n") + 1)]
    return PageText(
        "\n".join(entry.text for entry in kept),
        source,
        from_page(**{field: [entry.data for entry in kept]}),
        entries=Entries(numbers, oldest, newest_first, limited),
    )


Result = Text | PageText | Relayed | SkillOutput
RESULTS: tuple[type, ...] = (Text, PageText, Relayed, SkillOutput)


def inline_url(url: str, limit: int = 200) -> str:
    """Quote a page's address inside a line of ours: one token, printable ASCII, limited length.

    Chromium percent-encodes addresses already; this makes sure of it, so that an address can
    neither start a line nor look like our words.
    """
    token = "".join(char if "!" <= char <= "~" else _percent(char) for char in url[: limit + 1])
    return token if len(token) <= limit else token[:limit] + "..."


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
