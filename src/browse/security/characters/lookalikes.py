"""Look-alike letters: what a word or a line reads as at a glance.

The one table of look-alikes is Unicode's (`confusables.py`), with additions of ours; run
`tools/confusables.py` after a change of these.
"""

# ruff: noqa: RUF001 - characters that can be taken for others are what this is about
import re
import unicodedata
from functools import lru_cache

from browse.security.characters.confusables import ALIKE, LOOKALIKES

# Letters of other scripts that readers take for an ASCII letter, although Unicode does not.
_LETTERS = {"b": "вь", "e": "εєЄ", "h": "н", "k": "кκ", "m": "м", "n": "ηп", "t": "тτ", "w": "ωш"}
# Similar enough to forge a marker at a glance: digits, signs, letters with a stroke.
_HASTY = {
    "a": "4@∀ΛᗩⱯД",
    "b": "Бβᏼ8ßᛒ",
    "c": "Ϲϲ©¢ʗᑕ⊂Ҁҁ",
    "d": "Ððꭰ",
    "e": "Ҿ3€∊ƐɛΣƎǝ",
    "g": "ԍ69₲",
    # `i`, `l`, `1` and `|` count as the same.
    "l": "iI1!|¡⌊\u0486",
    "n": "ПиИᑎ∩ŋ₦",
    "o": "0°θΘ◯○●⊙Ѳѳ☉¤Ჿ",
    "r": "ГяЯ®₹ꭱⲄ",
    "s": "ᔕ5$§Ƨƨֆ",
    "t": "7+†ҭ丅",
    "u": "μцЦԱ⊔ⴎվ",
    "w": "ШщЩ₩Ѡ",
    "x": "χ✕✖ҳⲭӾ",
}
FEW = 64


def _by_char(*tables: dict[str, str]) -> dict[str, str]:
    rows = (row for table in tables for row in table.items())
    return {char: letter for letter, chars in rows for char in chars}


_LATIN = _by_char(LOOKALIKES, _LETTERS)
_IN_WORDS = str.maketrans(_LATIN)
ADDED = _by_char(_LETTERS, _HASTY)
_MERGED = _by_char(_HASTY)
_READ_AS = {char: _MERGED.get(letter, letter.lower()) for char, letter in _LATIN.items()} | _MERGED
_READ_AS |= {char: _READ_AS[ours] for ours, chars in ALIKE.items() for char in chars}
# Small capitals, turned letters, in circles and boxes, with strokes: by their Unicode names.
_NAMED = re.compile(r"(?!TAG ).*\bLETTER (?:[A-Z]{2,}[ -])*([A-Z])(?: WITH .*)?")


def latin(word: str) -> str:
    """Replace letters of other scripts with the ASCII letters that they look like."""
    return word.translate(_IN_WORDS)


def _plain(code: int) -> int:
    char = chr(code).lower()
    return ord(_READ_AS.get(char, char))


_ASCII = bytes(_plain(code) if code < 128 else code for code in range(256))
_GAPS = bytes(code for code in range(128) if not chr(_plain(code)).isalpha())


def squeezed(text: str) -> bytes:
    """Keep what reads as an ASCII letter, in one case; drop everything else.

    A page could put dropped characters (a zero-width one) into a marker, which then reads the
    same and compares differently.
    """
    return legible(text).encode("ascii", "ignore").translate(_ASCII, _GAPS)


def legible(text: str) -> str:
    """Replace what looks like an ASCII letter with that letter; keep everything else."""
    # A long text has few different ones, and `replace` is the fastest way.
    if text.isascii():
        return text
    plain = {char: _reads_as(char) for char in set(text) if not char.isascii()}
    known = {char: letters for char, letters in plain.items() if letters}
    if len(known) > FEW:
        return text.translate({ord(char): letters for char, letters in known.items()})
    for char, letters in known.items():
        text = text.replace(char, letters)
    return text


@lru_cache(maxsize=10_000)
def _reads_as(char: str) -> str:
    if letter := _READ_AS.get(char) or _READ_AS.get(char.lower()):
        return letter
    taken_apart = unicodedata.normalize("NFKD", char)
    if taken_apart != char:
        return "".join(_READ_AS.get(part, part) for part in taken_apart)
    named = _NAMED.fullmatch(unicodedata.name(char, ""))
    return named[1].lower() if named else ""
