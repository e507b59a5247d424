"""Mask credentials in any text: known by form or place, or typed through browse.

Each kind (`credential_kinds.py`) is searched for only in text that contains its literal, and most
of them only near a long run of letters, which makes this cheap.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable
from functools import partial

from browse.guard.credential_kinds import BASIC_LOGIN, LONG_KINDS, CredentialKind
from browse.guard.spellings import MIN_INNER_CHARS, core_of, in_base64, pattern_of

MASK = "****"
MAX_TYPED = 100
MIN_TYPED_CHARS = 6
MAX_TYPED_CHARS = 2_000
# The owner's own secrets are masked even if they are short, from six characters on also in words.
MIN_SEALED_CHARS = 4
MIN_SEALED_INNER_CHARS = 6
MAX_SEALED = 1_000
_GAP = r"(?:\s|\\[nr]){0,4}"
_PEM = (
    rf"-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY-----(?:{_GAP}(?:Proc-Type|DEK-Info): [^\n]{{1,99}})*"
    rf"(?:{_GAP}[A-Za-z0-9+/=]{{16,}})*"
    rf"(?:{_GAP}[A-Za-z0-9+/=]{{0,64}}{_GAP}-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY-----)?"
)
_LOGIN = r"(://)[^\s/@:\"'<>\\]{0,128}:[^\s/@\"'<>\\]{1,256}(?=@)"
_QUERY = (
    r"([?&#;](?:(?:api|access|app|secret|private)[_-]?key|(?:(?:access|auth|api|id|refresh)[_-]?)?token|"
    r"(?:(?:client|app)[_-]?)?secret|passw(?:or)?d|pwd|sig|x-(?:amz|goog)-(?:signature|security-token))=)"
    r"[^\s&#\"'<>\\]{6,}"
)
_NAMES = (b"key=", b"token=", b"secret=", b"passw", b"pwd=", b"sig=", b"signature=")
_CARD = re.compile(r"(?<![\d.-])[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}(?![\d-])")
_LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
_SHAPE = bytes.maketrans(_LETTERS + b"0123456789", b"a" * len(_LETTERS) + b"0" * 10)
_ALIKE = bytes.maketrans(b"0", b"a")
_LONG_RUN = b"a" * 16
_RUN = re.compile(b"a+")
_BEFORE_RUN = 64
_CARD_SHAPES = (b"0000 0000 0000 0000", b"0000a0000a0000a0000")


_MASKED_KINDS = tuple((kind, kind.pattern) for kind in LONG_KINDS if not kind.published)
_IN_ADDRESSES = re.compile(rf"(?i:{_QUERY})")
_LOGGED_IN = re.compile(_LOGIN)
_PRIVATE_KEY = re.compile(_PEM)
_BASIC = BASIC_LOGIN.pattern


Spelled = tuple[str, re.Pattern[str]]  # a part that every spelling has, and all spellings


class Typed:
    """The values that were typed into secret fields: the newest of them, in memory only."""

    def __init__(
        self,
        least_chars: int = MIN_TYPED_CHARS,
        most: int = MAX_TYPED,
        inner_chars: int = MIN_INNER_CHARS,
    ) -> None:
        self._least_chars = least_chars
        self._inner_chars = inner_chars
        self._most = most
        self._patterns: OrderedDict[str, dict[str, Spelled]] = OrderedDict()
        self._longest_first: tuple[Spelled, ...] = ()

    def add(self, value: str, others: Iterable[str] = ()) -> None:
        """Remember a value that is neither too short nor too long, nor too common.

        `others` is what else stands for it: it is forgotten together with the value.
        """
        value = value.strip()
        if not self.takes(value):
            return
        self._patterns[value] = {
            each: (core_of(each), pattern_of(each, self._inner_chars))
            for each in filter(self.takes, (value, *others))
        }
        self._patterns.move_to_end(value)
        if len(self._patterns) > self._most:
            self._patterns.popitem(last=False)
        known = {each: it for its in self._patterns.values() for each, it in its.items()}
        self._longest_first = tuple(known[each] for each in sorted(known, key=len, reverse=True))

    def takes(self, value: str) -> bool:
        """Check whether a value can be told from other words of a page."""
        is_common = value.strip().lower() in COMMON
        return self._least_chars <= len(value.strip()) <= MAX_TYPED_CHARS and not is_common

    @property
    def is_empty(self) -> bool:
        return not self._longest_first

    def found_in(self, text: str) -> list[str]:
        """List the values in a text, as they are spelled there."""
        found = (
            it[0]
            for core, kept in self._longest_first
            if core in text
            for it in kept.finditer(text)
        )
        return list(dict.fromkeys(found))

    def masked_bytes(self, data: bytes) -> bytes:
        """Mask the values in a file, if that is text."""
        if self.is_empty:
            return data
        try:
            return self.masked(data.decode("utf-8")).encode("utf-8")
        except UnicodeDecodeError:
            return data

    def masked(self, text: str) -> str:
        """Mask the values that were typed, also as spelled in addresses, JSON and HTML."""
        for core, pattern in self._longest_first:
            if core in text:
                text = pattern.sub(MASK, text)
        return text


# On so many pages that masking them would reveal more than it hides.
COMMON = frozenset({"password", "passwd", "passphrase", "secret", "changeme", "username"})
TYPED = Typed()
# What no reply ever shows, not even with --reveal: the secrets of logins, and those from stdin or
# from the environment, which an agent uses without seeing them.
SEALED = Typed(MIN_SEALED_CHARS, MAX_SEALED, MIN_SEALED_INNER_CHARS)


def seal(value: str, user: str = "") -> None:
    """Never show a value again, nor what base64 makes of it, as in HTTP authentication."""
    SEALED.add(value, in_base64(value, user))


def masked(text: str) -> str:
    """Mask the credentials in any text: those that were typed, and those known by their form.

    The text keeps its lines. If there is nothing to mask, the same object is returned.
    """
    text = TYPED.masked(SEALED.masked(text))
    raw = text.encode("ascii", "replace")
    shape = raw.translate(_SHAPE)
    if near := _near_long_runs(text, shape.translate(_ALIKE)):
        for kind, pattern in _MASKED_KINDS:
            if kind.literal in near:
                text = pattern.sub(partial(_mask, kind), text)
    if any(card in shape for card in _CARD_SHAPES):
        text = _CARD.sub(lambda found: MASK if _adds_up(found[0]) else found[0], text)
    if "PRIVATE KEY-----" in text:
        text = _PRIVATE_KEY.sub(lambda found: MASK + "\n" * found[0].count("\n"), text)
    if BASIC_LOGIN.literal in text:
        text = _BASIC.sub(rf"\1{MASK}", text)
    return _in_addresses(text, raw)


def _near_long_runs(text: str, alike: bytes) -> str:
    """Return the long runs of letters in a text, each with what precedes it."""
    near: list[str] = []
    at = alike.find(_LONG_RUN)
    while at >= 0 and (run := _RUN.match(alike, at)):
        near.append(text[max(at - _BEFORE_RUN, 0) : run.end()])
        at = alike.find(_LONG_RUN, run.end())
    return "\n".join(near)


def _in_addresses(text: str, raw: bytes) -> str:
    if "@" in text and "://" in text:
        text = _LOGGED_IN.sub(rf"\1{MASK}", text)
    if b"=" in raw and _names_a_secret(raw.lower()):
        text = _IN_ADDRESSES.sub(rf"\1{MASK}", text)
    return text


def _names_a_secret(raw: bytes) -> bool:
    return any(name in raw for name in _NAMES)


def _mask(kind: CredentialKind, found: re.Match[str]) -> str:
    whole, kept = found[0], found[1]
    return f"{kept}{MASK}" + "\n" * whole.count("\n") if kind.test(whole[len(kept) :]) else whole


def _adds_up(number: str) -> bool:
    """Check the last digit of a card number (Luhn)."""
    digits = [int(char) for char in number if char.isdigit()]
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0
