"""The canary: a random word that agents are given and that no command has a reason to contain.

Whoever makes an agent repeat what it was told makes it repeat this too. It is searched for in what
is sent, also in other spellings: split up, reversed, or encoded. Its twelve digits are
what counts, so ordinary text, hex or base64 does not contain it by accident (one in 2^48).
"""

import base64
import re
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from unicodedata import normalize

import msgspec

PREFIX = "CANARY-"
BYTES = 6
# How much of what a caller typed is remembered, and for how many callers.
WINDOW = 256
# So many of its digits are a piece that counts far from the rest. How far two pieces may be apart,
# and three: random data holds small pieces by accident, the more the longer it is.
PIECE_DIGITS = 4
FAR_CHARS = 65_536
NEAR_CHARS = 1_024
MAX_CALLERS = 200
MAX_DECODED = 2
# In a longer text, percent signs and escapes are not decoded: that is slow.
MAX_DECODED_CHARS = 200_000
_NOISE = bytes(code for code in range(128) if not chr(code).isalnum())
# The escapes that matter: digits, the letters of hex, and the percent sign itself.
_PERCENT = re.compile(r"%(?:25|3[0-9]|[46][1-6])")
# What precedes a character's number in the escapes of various languages.
_ESCAPES = re.compile(r"\\x|\\u\{?0*|%u00|&#x|0x|0o", re.IGNORECASE)
# The two ways to escape a character by its number in octal: of most languages, and of `echo -e`.
_OCTAL = (re.compile(r"\\([0-3]?[0-7]{1,2})"), re.compile(r"\\0([0-7]{1,3})"))


class _Trail(msgspec.Struct):
    """What a caller has typed: the end of it, and where the pieces of the canary were."""

    words: bytes = b""
    typed: bytes = b""
    length: int = 0
    pieces: dict[str, int] = msgspec.field(default_factory=dict)


class Canary:
    """The canary of a daemon. Until it has been given to an agent, nothing is checked."""

    def __init__(self, digits: str = "") -> None:
        self._digits = digits or secrets.token_hex(BYTES).upper()
        self._any_case, self._exact = _spellings(self._digits)
        self._splits = _splits(self._digits)
        self._pieces = {it: _numbered(it) for split, _ in self._splits for it in split}
        self._typed: OrderedDict[str, _Trail] = OrderedDict()
        self.given_out = False

    def tell(self) -> str:
        """Return the canary, for an agent; from now on it is checked for."""
        self.given_out = True
        return PREFIX + self._digits

    def is_in(self, text: str | bytes) -> bool:
        """Check whether a text contains the canary in one of its spellings; linear time."""
        if not self.given_out:
            return False
        plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        return self._holds(_squeezed(plain)) or self._is_coded_in(plain)

    def is_typed(self, who: str, words: Sequence[str], typed: str) -> bool:
        """Check whether a caller's words contain it, alone or together with earlier ones.

        `typed` is the word that goes to the page, if there is one: the words of several commands
        are next to each other there, whatever their other arguments are.
        """
        if not self.given_out:
            return False
        trail = self._typed.pop(who, None) or _Trail()
        self._typed[who] = trail
        if len(self._typed) > MAX_CALLERS:
            self._typed.popitem(last=False)
        said, coded = _squeezed("".join(words)), list(_decoded("\n".join(words)))
        after = (trail.words + said, trail.typed + _squeezed(typed))
        trail.words, trail.typed = after[0][-WINDOW:], after[1][-WINDOW:]
        return any(map(self._holds, (*after, *coded))) or self._completes(trail, said, coded)

    def forget(self, who: str) -> None:
        """Forget what a caller has typed."""
        self._typed.pop(who, None)

    def _completes(self, trail: _Trail, said: bytes, coded: list[bytes]) -> bool:
        """Check whether all pieces of the canary were typed, in any order, not too far apart."""
        for text in (said.upper(), *map(bytes.upper, coded)):
            for piece, forms in self._pieces.items():
                if (at := max(map(text.rfind, forms))) >= 0:
                    trail.pieces[piece] = trail.length + at
        trail.length += len(said)
        for split, apart in self._splits:
            places = [trail.pieces[it] for it in split if it in trail.pieces]
            if len(places) == len(split) and max(places) - min(places) <= apart:
                return True
        return False

    def _is_coded_in(self, text: str) -> bool:
        return any(map(self._holds, _decoded(text)))

    def _holds(self, squeezed: bytes) -> bool:
        folded = squeezed.upper()
        return any(form in folded for form in self._any_case) or any(
            form in squeezed for form in self._exact
        )


def _decoded(text: str) -> Iterator[bytes]:
    """Yield the text with its escaped characters decoded, one level at a time."""
    if len(text) > MAX_DECODED_CHARS:
        return
    for _ in range(MAX_DECODED):
        text, count = _PERCENT.subn(lambda code: chr(int(code[0][1:], 16)), text)
        if not count:
            break
        yield _squeezed(text)
    if _ESCAPES.search(text):
        yield _squeezed(_ESCAPES.sub("", text))
    for octal in _OCTAL if "\\" in text else ():
        yield _squeezed(octal.sub(lambda code: chr(int(code[1], 8)), text))


def _squeezed(text: str) -> bytes:
    """Keep only letters and digits, so that nothing can separate them."""
    if not text.isascii():
        text = normalize("NFKC", text)
    return text.encode("ascii", "ignore").translate(None, _NOISE)


def _spellings(digits: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """List the forms of the digits: those that are compared in any case, and base64."""
    cases = (digits.encode(), digits.lower().encode())
    any_case = {*_numbered(digits), cases[0][::-1]}
    either_way = [raw for case in cases for raw in (case, case[::-1])]
    exact = {_base64(raw, lead) for raw in either_way for lead in range(3)}
    return tuple(any_case), tuple(exact)


def _numbered(digits: str) -> tuple[bytes, ...]:
    """List the forms of digits as they are, and as numbers of characters, in upper case."""
    forms = {digits}
    for raw in (digits.encode(), digits.lower().encode()):
        forms |= {raw.hex().upper(), "".join(map(str, raw))}
        forms |= {"".join(f"{code:o}" for code in raw), "".join(f"0{code:o}" for code in raw)}
    return tuple(form.encode() for form in forms)


def _splits(digits: str) -> list[tuple[tuple[str, ...], int]]:
    """List the ways to split the digits into pieces, and how far apart these may be."""
    cuts = range(PIECE_DIGITS, len(digits) - PIECE_DIGITS + 1)
    thirds = tuple(digits[at : at + PIECE_DIGITS] for at in range(0, len(digits), PIECE_DIGITS))
    return [*(((digits[:at], digits[at:]), FAR_CHARS) for at in cuts), (thirds, NEAR_CHARS)]


def _base64(raw: bytes, lead: int) -> bytes:
    """Encode with so many bytes before it, and keep what does not depend on its neighbours.

    No letter of it is `+` or `/`: the bytes of digits and letters never encode to these.
    """
    coded = base64.b64encode(bytes(lead) + raw).rstrip(b"=")
    first = -(-lead * 8 // 6)
    last = (lead + len(raw)) * 8 // 6
    return coded[first:last]
