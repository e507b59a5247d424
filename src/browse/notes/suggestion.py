"""Suggestions for a site, ranked by how well they fit an intent: words and hosts, no model.

The score is from 0 to 1 and the same for the same input: the host counts 0.4 where one is asked
for, the best trigger and the description share the rest.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

MAX_INTENT_CHARS = 2_000
MAX_WORDS = 2_000
SAME_HOST, SUBDOMAIN = 1.0, 0.5
HOST_WEIGHT, TRIGGER_WEIGHT = 0.4, 0.6
_WORD = re.compile(r"[^\W_]+")
_HOST = re.compile(r"\b(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}\b", re.IGNORECASE)
_IDLE = {
    "a", "an", "and", "at", "by", "for", "from", "get", "give", "how", "i", "in", "into", "is",
    "it", "me", "my", "of", "on", "or", "please", "show", "that", "the", "this", "to", "want",
    "what", "with", "www",
}  # fmt: skip


class Suggestion(msgspec.Struct, frozen=True):
    """A note or a program for a host. All fields but `kind` are words of others."""

    kind: Literal["note", "skill"]
    name: str
    host: str
    description: str = ""
    triggers: tuple[str, ...] = ()
    state: str = ""


# Returns the suggestions for a host; for "", all.
Suggest = Callable[[str], list[Suggestion]]


class Ranked(msgspec.Struct, frozen=True):
    """A suggestion and its score."""

    score: float
    suggestion: Suggestion


def ranked(intent: str, candidates: Iterable[Suggestion], *, host: str = "") -> list[Ranked]:
    """Rank what fits an intent, the best first; drop what has nothing in common with it."""
    wanted = words(intent)
    found = [Ranked(_score(wanted, host, one), one) for one in candidates]
    fitting = [one for one in found if one.score > 0]
    return sorted(fitting, key=lambda it: (-it.score, it.suggestion.kind, it.suggestion.name))


def host_in(intent: str) -> str:
    """Return the host that an intent names, "" when it names none."""
    found = _HOST.search(intent[:MAX_INTENT_CHARS])
    return found[0].lower().removeprefix("www.") if found else ""


def words(text: str) -> frozenset[str]:
    """Return the significant words of a text, in lower case and in the singular."""
    plain = unicodedata.normalize("NFKC", text[: MAX_INTENT_CHARS * 8]).casefold()
    found = (match[0] for match in _WORD.finditer(plain))
    stems = (singular(word) for word in found if word not in _IDLE)
    return frozenset(stem for stem, _ in zip(stems, range(MAX_WORDS), strict=False))


def singular(word: str) -> str:
    """Strip the ending of an English plural: stories, boxes, prices."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _score(wanted: frozenset[str], host: str, one: Suggestion) -> float:
    trigger = max((_shared(wanted, words(it)) for it in one.triggers), default=0.0)
    about = _covered(wanted, words(f"{one.name} {one.host} {one.description}"))
    fit = TRIGGER_WEIGHT * trigger + (1 - TRIGGER_WEIGHT) * about
    if host:
        fit = HOST_WEIGHT * _nearness(host, one.host) + (1 - HOST_WEIGHT) * fit
    return round(fit, 3)


def _nearness(host: str, other: str) -> float:
    if host == other:
        return SAME_HOST
    related = other and (host.endswith("." + other) or other.endswith("." + host))
    return SUBDOMAIN if related else 0.0


def _covered(wanted: frozenset[str], there: frozenset[str]) -> float:
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _shared(wanted: frozenset[str], trigger: frozenset[str]) -> float:
    """Compare with a short phrase: words that only one of them has count against it."""
    return len(wanted & trigger) / len(wanted | trigger) if wanted and trigger else 0.0
