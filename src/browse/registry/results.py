"""What a handler returns: values that say who wrote the words.

`Text` is ours. `PageText` is the page's and cannot leave without the envelope. `SkillOutput` is
what a script printed for other programs, `Relayed` what has been rendered before. Every result also
carries its facts as data for `--json`; there, everything below a key named `page` was written by
the page, at whatever depth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from browse.security.blocks import Block

Data = Mapping[str, Any]


def from_page(**fields: Any) -> dict[str, Any]:
    """Mark fields of a result's data as the page's words."""
    return {"page": fields}


@dataclass(frozen=True, slots=True)
class Entries:
    """What a log holds, so that the pages of a reply fit together though it grows meanwhile.

    `numbers` are those of the entries that the text shows, one for each line, and never change.
    The data has one item for each entry. The log kept nothing before `oldest`.
    """

    numbers: Sequence[int]
    oldest: int

    @property
    def each(self) -> list[int]:
        """The numbers without repetition: an entry may have several lines."""
        return list(dict.fromkeys(self.numbers))


@dataclass(frozen=True, slots=True)
class Text:
    """Our own words about what happened, and below them, if any, what the page said meanwhile.

    `whole`: never cut to the usual ceiling, because a part of it is of no use. `judged`: what the
    page said was looked at already, and is shown for what it is.
    """

    text: str
    data: Data = field(default_factory=dict)
    page: str = ""
    source: str = ""
    whole: bool = False
    judged: bool = False
    entries: Entries | None = None


@dataclass(frozen=True, slots=True)
class PageText:
    """Words that a page wrote, with the address they came from, and below them a note of ours.

    `ranks`, one for each line, tell which lines matter most when not all fit into a reply.
    `entries` tells that the lines are those of a log, which grows.
    `hidden` is what stands on the page and a person cannot see; it was left out, unless the words
    are those of something that is told as it stands (`keeps_hidden`).
    """

    text: str
    source: str
    data: Data = field(default_factory=dict)
    ranks: Sequence[int] = ()
    note: str = ""
    hidden: Sequence[Block] = ()
    keeps_hidden: bool = False
    entries: Entries | None = None


@dataclass(frozen=True, slots=True)
class Relayed:
    """Replies of other commands, each already rendered, under our label."""

    text: str
    data: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SkillOutput:
    """The JSON document that a skill printed: a page's words or the script's, and nobody's promise.

    Programs read it, so it leaves as it was printed: not wrapped, cut or masked. In JSON it is
    below `page`. A `warning` of ours about it goes to stderr.
    """

    text: str
    output: Any
    log: Sequence[str] = ()
    facts: Data = field(default_factory=dict)
    warning: str = ""

    @property
    def data(self) -> Data:
        return {**self.facts, **from_page(output=self.output, log=list(self.log))}

    @property
    def words(self) -> str:
        """All strings of the document, each on a line of its own."""
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
    """An entry of a log that pages wrote into: its number, and what it says as text and as data."""

    number: int
    text: str
    data: Data


def log_text(kept: Sequence[Entry], source: str, field: str, *, oldest: int) -> PageText:
    """Show entries of a log, the oldest first; `oldest` is the number of the first that it has."""
    numbers = [entry.number for entry in kept for _ in entry.text.split("\n")]
    return PageText(
        "\n".join(entry.text for entry in kept),
        source,
        from_page(**{field: [entry.data for entry in kept]}),
        entries=Entries(numbers, oldest),
    )


Result = Text | PageText | Relayed | SkillOutput
RESULTS: tuple[type, ...] = (Text, PageText, Relayed, SkillOutput)


def inline_url(url: str, limit: int = 200) -> str:
    """Quote a page's address inside a line of ours: one token, printable ASCII, bounded.

    Chromium percent-encodes addresses already; this makes it certain, so that an address can
    neither start a line nor pass for words of ours.
    """
    token = "".join(char if "!" <= char <= "~" else _percent(char) for char in url[: limit + 1])
    return token if len(token) <= limit else token[:limit] + "..."


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
