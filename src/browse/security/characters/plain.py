"""Plain words: what a text says once its disguise is removed.

Invisible characters are removed, look-alike letters become ASCII letters, spaced-out and
digit-for-letter spellings are normalised, and Base64 and percent codes are decoded. Line breaks
stay, so that a place found in plain words has the line number that it has in the text.
"""

import base64
import binascii
import re
import string
import unicodedata
from urllib.parse import unquote

from browse.security.characters.ignorable import RUN, holds_invisible, untagged
from browse.security.characters.lookalikes import latin

_WORD_BEYOND_ASCII = re.compile(r"\w{2,40}")
_ASCII_LETTER = re.compile("[A-Za-z]")
_SPACED = re.compile(r"\b(?:\w[ ._*-]){4,200}\w\b")
_PERCENT = re.compile("(?:%[0-9A-Fa-f]{2})+")
_GAPS = re.compile("[ ._*-]")
_WITH_DIGITS = re.compile(r"(?<![\w@.])[A-Za-z]{0,12}[0-9][A-Za-z0-9]{1,20}(?![\w@])")
_NO_LETTER = frozenset("269")
_LEET = str.maketrans("0134578", "oieastb")
_CODE_BYTES = (string.ascii_letters + string.digits + "+/_-").encode()
_IN_CODE = bytes(ord("a") if byte in _CODE_BYTES else ord(" ") for byte in range(256))
_LONG_RUN = b"a" * 24
MAX_CODE = 20_000
MAX_DECODED = 20


def plain(text: str) -> str:
    """Remove the disguise; ASCII text is only searched for unusual spellings."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", visible(text))
        text = _WORD_BEYOND_ASCII.sub(_latin, text)
    if "%" in text:
        text = _PERCENT.sub(_unquoted, text)
    text = _SPACED.sub(_closed_up, text)
    return _WITH_DIGITS.sub(_spelled, text)


def decoded(text: str) -> list[tuple[int, str]]:
    """Return the texts that are encoded in a text, each with the offset where it starts."""
    raw = text.encode("utf-8", "replace")
    runs = raw.translate(_IN_CODE)  # plain search for a run of such bytes is far the quickest
    found: list[tuple[int, str]] = []
    seen: set[bytes] = set()
    at = runs.find(_LONG_RUN)
    while at >= 0 and len(found) < MAX_DECODED:
        end = runs.find(b" ", at, at + MAX_CODE)
        code = raw[at : end if end >= 0 else at + MAX_CODE]
        words = _from_base64(code.decode()) if code not in seen else ""
        seen.add(code)
        if words:
            found.append((text.find(code.decode()), words))
        at = runs.find(_LONG_RUN, at + len(code))
    return found


def visible(text: str) -> str:
    """Remove invisible characters; decode what tag characters spell."""
    return RUN.sub(lambda run: untagged(run[0]), text) if holds_invisible(text) else text


def _from_base64(code: str) -> str:
    code = code.translate({ord("-"): "+", ord("_"): "/"})
    try:
        raw = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
        words = raw.decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return words if words.isprintable() and words.count(" ") >= 2 else ""


def _latin(found: re.Match[str]) -> str:
    word = found[0]
    if word.isascii() or not _ASCII_LETTER.search(word):
        return word
    return latin(word)


def _unquoted(found: re.Match[str]) -> str:
    words = unquote(found[0])
    return words if words.isprintable() else " "  # a line end would move the lines below


def _closed_up(found: re.Match[str]) -> str:
    return _GAPS.sub("", found[0])


def _spelled(found: re.Match[str]) -> str:
    word = found[0]
    digits = sum(not char.isalpha() for char in word)
    # `1gn0re` is a word; `sha256`, `a1b2c3` and `3d` are not.
    if len(word) < 4 or digits * 2 > len(word) or word[-3:].isdigit() or _NO_LETTER & {*word}:
        return word
    return word.translate(_LEET)
