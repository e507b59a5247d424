"""Invisible characters: removed from what is read, and the message in them reported.

One that a script or an emoji needs (a joiner between Persian letters, the tags of a flag) stays.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from browse.security.addressed import addressed
from browse.security.blocks import Block, Place
from browse.security.characters.ignorable import ANY, RUN, holds_invisible, untagged

_TAG_BLOCK = re.compile("[\U000e0001\U000e0020-\U000e007f]")
_BYTES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_ZERO_WIDTH = re.compile(f"(?!{_TAG_BLOCK.pattern}|{_BYTES.pattern}){ANY}")
# The flags that fonts show: of England, Scotland and Wales. Other letters would be a message.
_FLAGS = {
    "".join(chr(0xE0000 + ord(letter)) for letter in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
}
_TURNED = re.compile("[\u202d\u202e]")
_JOINERS = "\u200c\u200d"
MANY = 8  # as many bits as a letter has
SPLIT = 12  # so many words with something invisible inside are no accident
# Honest pages say with a soft hyphen where a word may be broken.
_INSIDE_WORD = re.compile(f"[A-Za-z](?:(?!\u00ad){ANY})+(?=[A-Za-z])")


class HiddenMessage(msgspec.Struct, frozen=True):
    """A message in invisible characters: what they say, as far as it can be decoded."""

    why: str
    text: str


def visible(text: str) -> str:
    """Remove invisible characters."""
    return RUN.sub(lambda run: _kept(text, run), text) if holds_invisible(text) else text


def _kept(text: str, run: re.Match[str]) -> str:
    it = run.group()
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    if before == "\U0001f3f4" and it in _FLAGS:
        return it
    if it[0] in "\ufe0e\ufe0f" and before and not before.isspace():
        return it[0] + ("\u200d" if it[1:] == "\u200d" and after else "")
    if len(it) == 1 and it in _JOINERS and _joins(before) and _joins(after):
        return it
    # Variants of ideographs, which have their own selectors, and of Mongolian letters.
    if len(it) == 1 and before >= "\u1800" and _is_variant(it):
        return it
    return ""


def _joins(char: str) -> bool:
    return char > "\u02ff" and not char.isspace()


def _is_variant(char: str) -> bool:
    return "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180d"


def messages(text: str) -> list[HiddenMessage]:
    """List the messages in invisible characters."""
    if not holds_invisible(text):
        return []
    dropped = [run.group() for run in RUN.finditer(text) if len(_kept(text, run)) < len(run[0])]
    every = "".join(dropped)
    found = []
    if _TAG_BLOCK.search(every):
        found.append(HiddenMessage("tag characters", untagged(every)))
    if len(carried := _BYTES.findall(every)) >= MANY:
        found.append(HiddenMessage("variation selectors", _carried(carried)))
    if any(len(_ZERO_WIDTH.findall(run)) >= MANY for run in dropped) or _is_dense(every, text):
        found.append(HiddenMessage("zero-width characters", _bits(_ZERO_WIDTH.findall(every))))
    if _TURNED.search(every):
        found.append(HiddenMessage("reversed text", _turned(text)))
    return found


def _is_dense(every: str, text: str) -> bool:
    """Check whether many words have invisible characters inside."""
    return len(every) >= SPLIT and len(_INSIDE_WORD.findall(text)) >= SPLIT


def _carried(selectors: list[str]) -> str:
    numbers = (ord(it) - (0xFE00 if it <= "\ufe0f" else 0xE0100 - 16) for it in selectors)
    return _printable(bytes(numbers))


def _bits(characters: list[str]) -> str:
    """Decode the two most frequent characters as bits; "" if no words come out either way."""
    common = [char for char, _ in Counter(characters).most_common(2)]
    if len(common) < 2:
        return ""
    for zero, one in (common, common[::-1]):
        bits = "".join("0" if it == zero else "1" for it in characters if it in (zero, one))
        for width in (8, 7, 16):
            whole = range(0, len(bits) - width + 1, width)
            words = "".join(chr(int(bits[at : at + width], 2)) for at in whole)
            if len(words) >= 2 and words.isascii() and words.isprintable():
                return words
    return ""


def _printable(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    return "".join(char for char in text if char.isprintable())


def _turned(text: str) -> str:
    at = _TURNED.search(text)
    return visible(text[at.start() : at.start() + 200]).split("\n")[0] if at else ""


def cleaned(value: Any) -> Any:
    """Remove invisible characters from all strings in some data."""
    # Encoding all of it costs a tenth of walking through it, and mostly settles the matter.
    try:
        return value if msgspec.json.encode(value).isascii() else _cleaned(value)
    except UnicodeEncodeError:  # half a character
        return _cleaned(value)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def blocks(text: str) -> list[Block]:
    """List the messages in invisible characters as blocks."""
    return [Block(it.text, Place.HIDDEN, it.why, alarming=_alarms(it)) for it in messages(text)]


def _alarms(it: HiddenMessage) -> bool:
    # Reversed words are visible, and pages in two scripts reverse some by mistake.
    return it.why != "reversed text" or addressed(it.text) or addressed(it.text[::-1])
