"""The features of a text for the classifier: its words, their classes, rules over the classes.

Training and scoring share this module. The classes of a text are a string with one letter for each
token, so a rule is a short regular expression with bounded gaps: its cost is linear.
"""

import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from browse.security.classifier.lexicon import CLASS_OF, UNSPACED

BITS = 18
_MASK = (1 << BITS) - 1
_TOKEN = (
    # What follows `?` or `#` in an address is read as words: it can be prose.
    r"https?://[^\s<>\"')?#]{1,2000}|www\.[^\s<>\"')?#]{1,2000}"
    r"|[\w.+-]{1,64}@[\w.-]{1,80}"
    r"|[A-Za-z]+(?:['\u2019][A-Za-z]{1,3})?|[0-9]+"
    rf"|{'|'.join(UNSPACED)}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|[^\W\d_]+"
    r"|[!?:<\[{#|*=`]|[.;。](?=\s|$)|\n"
)
_ENDS = {".": ".", ";": ".", "。": ".", "\n": "."}
_SIGNS = frozenset("!?:<[{#|*=`.")
URL, MAIL = "\x01url", "\x01mail"
_OTHER = {URL: "u", MAIL: "m", "0": "0", ".": ";", **{sign: sign for sign in "!?:<[{#|*=`"}}
MAX_WORD = 24
# Class letters more than this many tokens apart are unrelated.
REACH = 6

_G = "[^;!?]"  # anything within a sentence
RULES = {
    "override": rf"O{_G}{{0,3}}[PEyN]{_G}{{0,4}}[Rr]|O{_G}{{0,2}}R|[OR]{_G}{{0,2}}P[;!]",
    "override_loosely": rf"O{_G}{{0,3}}[PE]|o{_G}{{0,2}}[PE]{_G}{{0,3}}[Rr]|R{_G}{{0,4}}O",
    "new_orders": rf"N{_G}?R|[MX]{_G}{{0,3}}N{_G}?[Rr]",
    "you_are_ai": rf"Y{_G}?B{_G}{{0,3}}[Aa]|[;!:i]A|A{_G}?a:|f{_G}?Y{_G}{{0,2}}[Aa]",
    "to_ai": rf"[iM]{_G}{{0,3}}[Aa]|A{_G}?a",
    "from_now_on": rf"YBn|fnf|n{_G}?YB|nB{_G}?L",
    "role": rf"L|YB{_G}{{0,4}}L|Y{_G}{{0,3}}l{_G}?B",
    "send_to_address": rf"[Tt]{_G}{{0,12}}m|T{_G}{{0,10}}u|[Tt]{_G}{{0,8}}[Ss]{_G}{{0,8}}[mu]",
    "hand_over_mine": rf"[TtXxv]{_G}{{0,4}}I{_G}{{0,6}}s|[Tt]{_G}{{0,6}}I",
    "please_do_mine": rf"M{_G}?[TtXxv]{_G}{{0,8}}I",
    "reveal": rf"[Vv]{_G}{{0,5}}(?:S|y{_G}{{0,3}}[Rrs]|Q{_G}?R|P{_G}{{0,2}}R)",
    "secret": "S",
    "conceal": rf"D{_G}{{0,2}}[CVv]{_G}{{0,5}}[Uu]|D{_G}{{0,3}}C|C{_G}{{0,6}}[JWU]",
    "your_answer": rf"y{_G}{{0,2}}W|f{_G}?w|W{_G}?M|[Jv]{_G}{{0,6}}[yW]{_G}{{0,2}}W",
    "shape": rf"J{_G}{{0,4}}[UWfu]|w{_G}{{0,4}}[=:f]",
    "advise_user": rf"J{_G}{{0,3}}U{_G}{{0,10}}[xuf]",
    "fake_turn": rf"[<\[#*|]{{1,3}}[^;]?[QUaAR][^;]?[:>\]\[#*|<]|[QUaR]:|[\[<#]{_G}{{0,2}}R",
    "shout": r"i!|!!!|i:|i[Aa]",
    "order": r"(?:^|[;!?:])M?[TVXJOC]",
    "you_must": rf"Y{_G}?M|M{_G}{{0,2}}[Xx]",
    "run": rf"X{_G}{{0,5}}[RN`x]",
    "unasked": rf"[DN]{_G}{{0,2}}b|(?:U|A|a|s)B?{_G}{{0,3}}b[;!,]",
    "shell": rf"[XxM]{_G}{{0,4}}`?{_G}?h|h{_G}{{0,8}}u|h{_G}{{0,6}}\|{_G}?h",
    "pay": rf"[TtxoX]{_G}{{0,6}}p{_G}{{0,8}}[mu0I]",
    "verdict": rf"[vtMJ]{_G}{{0,6}}g|g{_G}{{0,6}}e",
    "instead": rf"[OoD]{_G}{{0,4}}c{_G}{{0,4}}[vVWwt]|e{_G}{{0,6}}[vVwWJxTt]",
    "ai_must": rf"[Aa]{_G}{{0,6}}M{_G}{{0,3}}[TtVvXxJCo]|[Aa]{_G}?[iRr]?[:;]",
    "then_do": rf"f{_G}{{0,8}}M?[XTtxo]{_G}{{0,8}}[hum`]",
}
# Phrases that hardly any harmless page contains except in quotes, and the weight of each.
PHRASES = {
    "override": (
        1.2,
        rf"O{_G}{{0,3}}P{_G}{{0,3}}[Rr]|O{_G}{{0,2}}E{_G}{{0,3}}R|O{_G}{{0,2}}yR|OR;|R{_G}?B{_G}{{0,2}}o"
        rf"|OE{_G}?[PYI]|OE[;!]|O{_G}{{0,2}}R{_G}?P|O[y.]?c{_G}{{0,3}}[vWw]",
    ),
    "conceal": (1.0, rf"D{_G}?[CVv]{_G}?U|[fD]{_G}?C{_G}{{0,2}}U"),
    "reveal": (
        0.8,
        rf"[Vv]{_G}{{0,3}}y{_G}{{0,3}}R|[Vv]{_G}{{0,3}}[QP]{_G}?R|(?<!D)(?<!D.)[Vvt]{_G}{{0,3}}S",
    ),
    "to_ai": (1.0, rf"f{_G}?Y{_G}?B{_G}{{0,2}}[Aa]|[;!:iM]A{_G}?a?[:!]|i{_G}?[Aa]"),
    "from_now_on": (0.8, rf"YBn{_G}{{0,3}}[LlAaQDT]|fnf?{_G}?Y|n{_G}?YB{_G}{{0,3}}[LA]"),
    "your_answer": (
        0.8,
        rf"(?:^|[;:!MC])J{_G}{{0,12}}y{_G}{{0,2}}W|y{_G}{{0,2}}W[^;]{{0,3}}[JMC]"
        rf"|f{_G}?w{_G}{{0,10}}[JC]|y{_G}?W{_G}{{0,4}}J",
    ),
    "subtly": (0.8, rf"C{_G}{{0,2}}J|J{_G}{{0,3}}U{_G}{{0,12}}u|J{_G}{{0,4}}C"),
    "send": (0.7, rf"[Tt]{_G}{{0,8}}[sSr]{_G}{{0,8}}m|T{_G}{{0,6}}[IU]{_G}{{0,8}}m"),
    "mine": (0.7, rf"M{_G}?[TtXx]{_G}{{0,5}}I{_G}{{0,4}}s|[xtT]{_G}{{0,4}}Is{_G}{{0,8}}T"),
}


class _Patterns(msgspec.Struct, frozen=True):
    token: re.Pattern[str]
    rules: list[re.Pattern[str]]
    phrases: list[re.Pattern[str]]


@cache
def _patterns() -> _Patterns:
    """Compile on first use: too slow for the start of a daemon."""
    return _Patterns(
        re.compile(_TOKEN),
        [re.compile(rule) for rule in RULES.values()],
        [re.compile(phrase) for _, phrase in PHRASES.values()],
    )


class TokenizedText(msgspec.Struct):
    """The tokens of a plain text: where each starts, their classes, and which are line ends."""

    words: list[str]
    starts: list[int]
    classes: str
    line_ends: list[int]


def tokens(text: str) -> TokenizedText:
    """Split a plain text into tokens."""
    words: list[str] = []
    starts: list[int] = []
    line_ends: list[int] = []
    for found in _patterns().token.finditer(text):
        raw = found[0]
        if raw == "\n":
            line_ends.append(len(words))
        words.append(_word(raw))
        starts.append(found.start())
    known, other = CLASS_OF.get, _OTHER.get
    classes = "".join([known(w) or other(w, ".") for w in words])
    return TokenizedText(words, starts, classes, line_ends)


def _word(raw: str) -> str:
    if len(raw) == 1:
        return _ENDS.get(raw) or ("0" if raw.isdigit() else raw.lower())
    if "@" in raw:
        return MAIL
    if raw[:4] == "www." or "://" in raw:
        return URL
    if raw[0].isdigit():
        return "0"
    return raw.lower().replace("\u2019", "'")[:MAX_WORD]


def is_sign(word: str) -> bool:
    """Check whether a token is punctuation, which counts as a class but not as a word."""
    return word in _SIGNS


def bucket(feature: str) -> int:
    """Return the index of a feature in the table of weights."""
    return zlib.crc32(feature.encode("utf-8", "replace")) & _MASK


def of_word(word: str) -> list[int]:
    """List the features of a single word: the word, and runs of four and five letters."""
    found = [bucket(word)]
    if len(word) > 3:
        spelled = f"^{word}$"
        for size in (4, 5):
            found += [
                bucket("c" + spelled[at : at + size]) for at in range(len(spelled) - size + 1)
            ]
    return found


def of_classes(classes: str) -> Iterator[tuple[int, str]]:
    """List the features of class letters near each other, with the token that completes each."""
    before: list[tuple[int, str]] = []
    for at, letter in enumerate(classes):
        if letter == ".":
            continue
        before = [(place, it) for place, it in before[-2:] if at - place <= REACH]
        yield at, "K" + letter
        if before:
            last = before[-1][1]
            yield at, "K" + last + letter
            if len(before) > 1:
                yield at, "K" + before[0][1] + last + letter
                yield at, "k" + before[0][1] + letter
        before.append((at, letter))


def rule_hits(classes: str) -> list[tuple[int, int]]:
    """List where rules match: the last token of each match, and the number of the rule."""
    return sorted(
        (found.end() - 1, number)
        for number, rule in enumerate(_patterns().rules)
        for found in rule.finditer(classes)
    )


def phrase_hits(classes: str) -> list[tuple[int, int]]:
    """List where phrases match: the last token of each match, and the number of the phrase."""
    return sorted(
        (found.end() - 1, number)
        for number, phrase in enumerate(_patterns().phrases)
        for found in phrase.finditer(classes)
    )


def within(hits: Sequence[tuple[int, int]], first: int, end: int) -> set[int]:
    """Return the numbers of the hits that end in a window; the hits are sorted."""
    return {number for _, number in hits[bisect_left(hits, (first,)) : bisect_left(hits, (end,))]}
