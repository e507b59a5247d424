"""The canary: a secret without a use, told to agents, that no command has a reason to hold.

Whoever makes an agent repeat what it was told makes it repeat this too. It is looked for in what
leaves, also where it is spelled otherwise: split up, reversed, or encoded. Its twelve digits are
what counts, so ordinary text, hex or base64 does not hold it by accident (one in 2^48).
"""

import base64
import re
import secrets
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from unicodedata import normalize

PREFIX = "CANARY-"
BYTES = 6
# How much of what a caller has typed is remembered, and of how many callers.
WINDOW = 256
MAX_CALLERS = 200
MAX_DECODED = 2
# Of a longer text, percent signs and escapes are not taken apart: that is slow.
MAX_DECODED_CHARS = 200_000
_NOISE = bytes(code for code in range(128) if not chr(code).isalnum())
# Those that matter: digits, the letters of hex, and the percent sign itself.
_PERCENT = re.compile(r"%(?:25|3[0-9]|[46][1-6])")
# What stands before a character's number in the ways that languages spell it.
_ESCAPES = re.compile(r"\\x|\\u\{?0*|%u00|&#x|0x", re.IGNORECASE)


class Canary:
    """The canary of a daemon. Until it has been told, nothing can hold it, and nothing is asked."""

    def __init__(self, digits: str = "") -> None:
        self._digits = digits or secrets.token_hex(BYTES).upper()
        self._any_case, self._exact = _spellings(self._digits)
        self._typed: OrderedDict[str, tuple[bytes, bytes]] = OrderedDict()
        self.told = False

    def tell(self) -> str:
        """Give the canary to an agent."""
        self.told = True
        return PREFIX + self._digits

    def is_in(self, text: str | bytes) -> bool:
        """Tell whether a text holds the canary in one of its spellings; linear in its length."""
        if not self.told:
            return False
        plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        return self._holds(_squeezed(plain)) or self._is_coded_in(plain)

    def is_typed(self, who: str, words: Sequence[str], typed: str) -> bool:
        """Tell whether a caller's words hold it, alone or together with those before.

        `typed` is the word that goes to the page, if there is one: the pieces of several commands
        stand side by side there, whatever else those commands were told.
        """
        if not self.told:
            return False
        before = self._typed.pop(who, (b"", b""))
        after = (before[0] + _squeezed("".join(words)), before[1] + _squeezed(typed))
        self._typed[who] = (after[0][-WINDOW:], after[1][-WINDOW:])
        if len(self._typed) > MAX_CALLERS:
            self._typed.popitem(last=False)
        return any(map(self._holds, after)) or self._is_coded_in("\n".join(words))

    def forget(self, who: str) -> None:
        """Forget what a caller has typed."""
        self._typed.pop(who, None)

    def _is_coded_in(self, text: str) -> bool:
        return any(map(self._holds, _decoded(text)))

    def _holds(self, squeezed: bytes) -> bool:
        folded = squeezed.upper()
        return any(form in folded for form in self._any_case) or any(
            form in squeezed for form in self._exact
        )


def _decoded(text: str) -> Iterator[bytes]:
    """Give the readings of a text in which characters are spelled by their numbers."""
    if len(text) > MAX_DECODED_CHARS:
        return
    for _ in range(MAX_DECODED):
        text, count = _PERCENT.subn(lambda code: chr(int(code[0][1:], 16)), text)
        if not count:
            break
        yield _squeezed(text)
    if _ESCAPES.search(text):
        yield _squeezed(_ESCAPES.sub("", text))


def _squeezed(text: str) -> bytes:
    """Keep letters and digits only, so that nothing can stand between them."""
    if not text.isascii():
        text = normalize("NFKC", text)
    return text.encode("ascii", "ignore").translate(None, _NOISE)


def _spellings(digits: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """List the forms of the digits: those that are read in any case, and base64, which is not."""
    cases = (digits.encode(), digits.lower().encode())
    any_case = {cases[0], cases[0][::-1]}
    for raw in cases:
        any_case.add(raw.hex().upper().encode())
        any_case.add("".join(map(str, raw)).encode())
    either_way = [raw for case in cases for raw in (case, case[::-1])]
    exact = {_base64(raw, lead) for raw in either_way for lead in range(3)}
    return tuple(any_case), tuple(exact)


def _base64(raw: bytes, lead: int) -> bytes:
    """Encode with so many bytes before it, and keep what does not depend on its neighbours.

    No letter of it is `+` or `/`: the bytes of digits and letters have no such six bits.
    """
    coded = base64.b64encode(bytes(lead) + raw).rstrip(b"=")
    first = -(-lead * 8 // 6)
    last = (lead + len(raw)) * 8 // 6
    return coded[first:last]
