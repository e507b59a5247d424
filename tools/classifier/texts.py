"""Labelled texts, and which of them stand for pages."""

import re
from dataclasses import dataclass

PAGE_CHARS = 1_500
# Prompts, documentation for agents, and documentation of tools against injection: harmless, and yet
# they instruct a model or quote such instructions. Nothing is planted there.
INSTRUCTING = ("agent-docs", "awesome-chatgpt", "notinject", "security-docs", "wildguard")
_WORD = re.compile("[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A labelled text: `whole`, or a `page` (harmless), or one with another text planted in it.

    With an attack it is `planted`, with a harmless text `foreign`.
    """

    label: int
    source: str
    text: str
    kind: str = "whole"


Scored = list[tuple[Text, float]]


def family(source: str) -> str:
    """Name the family of a source: its first word, after a colon if there is one."""
    found = _WORD.search(source.rpartition(":")[2])
    return found[0].lower() if found else source


def instructs(text: Text) -> bool:
    """Check whether a harmless text instructs a model or quotes such instructions."""
    return text.source.startswith(INSTRUCTING)


def is_page(text: Text) -> bool:
    """Check whether a text stands for a page: made into one, or harmless and as long."""
    return text.kind != "whole" or (text.label == 0 and len(text.text) >= PAGE_CHARS)
