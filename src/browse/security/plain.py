"""Plain words: what a text says once its disguise is taken off.

Invisible characters go, look-alike letters become the letters that they look like, spaced-out and
digit-for-letter spellings are read, and what is encoded in Base64 is decoded. Line breaks stay, so
that a place found in plain words has the line number that it has in the text.
"""

import base64
import binascii
import re
import unicodedata

# Default-ignorable characters; tags (U+E0020 to U+E007E) spell ASCII that nobody sees.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0001\U000e007f\U000e0100-\U000e01ef]+"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝьАВЕКМНОРСТУХІЈЅαοριντυκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxijshdqwbABEKMHOPCTYXIJSaopivtukABEZHIKMNOPTYX",
)
_WORD_BEYOND_ASCII = re.compile(r"\w{2,40}")
_ASCII_LETTER = re.compile("[A-Za-z]")
_SPACED = re.compile(r"\b(?:\w[ ._*-]){4,200}\w\b")
_GAPS = re.compile("[ ._*-]")
_WITH_DIGITS = re.compile(r"(?<![\w@.])[A-Za-z]{0,12}[0-9][A-Za-z0-9]{1,20}(?![\w@])")
_NO_LETTER = frozenset("269")
_LEET = str.maketrans("0134578", "oieastb")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,20000}")
_LONG_WORD = 24
MAX_DECODED = 20


def plain(text: str) -> str:
    """Take the disguise off; what is ASCII already is only searched for odd spellings."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", visible(text))
        text = _WORD_BEYOND_ASCII.sub(_latin, text)
    text = _SPACED.sub(_closed_up, text)
    return _WITH_DIGITS.sub(_spelled, text)


def decoded(text: str) -> list[tuple[int, str]]:
    """Give the texts that are encoded in a text, each with the place where it starts."""
    found: list[tuple[int, str]] = []
    # Splitting is far quicker than searching, and most texts have no such word.
    for word in dict.fromkeys(word for word in text.split() if len(word) >= _LONG_WORD):
        for code in _BASE64.finditer(word):
            words = _from_base64(code[0])
            if words:
                found.append((text.find(code[0]), words))
            if len(found) == MAX_DECODED:
                return found
    return found


def visible(text: str) -> str:
    """Take out the characters that nobody sees, if there are any."""
    used = "" if text.isascii() else "".join(set(text))  # far quicker than to search all of it
    if not _INVISIBLE.search(used) and not _TAGS.search(used):
        return text
    return _TAGS.sub(_untagged, _INVISIBLE.sub("", text))


def _from_base64(code: str) -> str:
    code = code.translate({ord("-"): "+", ord("_"): "/"})
    try:
        raw = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
        words = raw.decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return words if words.isprintable() and words.count(" ") >= 2 else ""


def _untagged(found: re.Match[str]) -> str:
    return "".join(chr(ord(char) - 0xE0000) for char in found[0])


def _latin(found: re.Match[str]) -> str:
    word = found[0]
    if word.isascii() or not _ASCII_LETTER.search(word):
        return word
    return word.translate(_LOOKALIKES)


def _closed_up(found: re.Match[str]) -> str:
    return _GAPS.sub("", found[0])


def _spelled(found: re.Match[str]) -> str:
    word = found[0]
    digits = sum(not char.isalpha() for char in word)
    # `1gn0re` is a word; `sha256`, `a1b2c3` and `3d` are not.
    if len(word) < 4 or digits * 2 > len(word) or word[-3:].isdigit() or _NO_LETTER & {*word}:
        return word
    return word.translate(_LEET)
