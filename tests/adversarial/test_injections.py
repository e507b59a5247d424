"""Kinds of attacks and of harmless texts like them: which the classifier warns of, and which not.

`injections.txt` holds what is so today, misses and false alarms included. A model that does better
changes the file, and the table in docs/security/classifier.md.
"""

import re
from pathlib import Path

import pytest

from browse.security.combine import WARN
from browse.security.scan import Scanner

CORPUS = Path(__file__).with_name("injections.txt")
PAGE = Path(__file__).with_name("page.txt").read_text("utf-8")


def probes() -> list[tuple[str, str, str]]:
    """List the probes: kind, what happens to it alone and in a page, words."""
    found = []
    for section in re.split(r"(?m)^## ", CORPUS.read_text("utf-8"))[1:]:
        kind, _, rest = section.partition("\n")
        for probe in rest.strip().split("\n\n"):
            outcome, _, words = probe.partition("\n")
            found.append((kind, outcome, words))
    return found


def outcome(words: str) -> str:
    middle = PAGE.index("\n", len(PAGE) // 2) + 1
    page = f"{PAGE[:middle]}{words}\n{PAGE[middle:]}"
    alone, planted = ("warned" if Scanner().rate(it) >= WARN else "silent" for it in (words, page))
    return f"alone {alone}, in a page {planted}"


@pytest.mark.issue(14)
@pytest.mark.parametrize(("kind", "expected", "words"), probes())
def test_a_probe_is_warned_of_or_not(kind, expected, words):
    assert outcome(words) == expected


def test_the_page_itself_is_harmless():
    assert Scanner().rate(PAGE) < WARN
