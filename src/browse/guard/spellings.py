"""How a secret may be spelled in a text: in an address, in JSON, in HTML, in base64, or cut off."""

import base64
import html
import json
import re
from collections.abc import Iterator, Sequence

# A shorter one is part of too many other words.
MIN_INNER_CHARS = 8
# Of a text that was cut, a shorter beginning of a value tells too little; a longer value is whole.
MIN_CUT_CHARS = 6
MAX_CUT_CHARS = 200
# What an escape ends with is no part of the word behind it: `%0A482913`, `\n482913`.
_ESCAPES = (r"%[0-9A-Fa-f]{2}", r"%25[0-9A-Fa-f]{2}", r"\\[bfnrt]", r"\\u[0-9A-Fa-f]{4}")
_BEHIND_ESCAPE = "|".join(f"(?<={escape})" for escape in _ESCAPES)
_BACKSLASHES = r"(?i:\\|%(?:25){0,2}5c|\\u005c|&(?:amp;)*#(?:92|x5c);){1,32}"
_FOR_ADDRESSES = str.maketrans("+/", "-_")
_CHARACTER = re.compile(r"\\+|[^\\]", re.DOTALL)
_WORD = re.compile("[A-Za-z0-9]+")


def pattern_of(value: str, inner_chars: int = MIN_INNER_CHARS) -> re.Pattern[str]:
    """Build the pattern of a value in any text.

    One with fewer characters than `inner_chars` is not looked for inside words, and a short number
    not inside numbers.
    """
    characters = [_character(char) for char in _CHARACTER.findall(value)]
    whole = "".join(characters)
    is_inner = len(value) >= inner_chars
    if len(value) >= MIN_INNER_CHARS or (is_inner and not value.isdecimal()):
        return re.compile(whole + _cut_off(characters, _least_cut(value)))
    inside = r"\d" if is_inner else r"[^\W_]"
    return re.compile(rf"(?:(?<!{inside})|{_BEHIND_ESCAPE}){whole}(?!{inside})")


def core_of(value: str) -> str:
    """Return the longest part of a value that all its spellings share."""
    beginning = value[: _least_cut(value)] if len(value) >= MIN_INNER_CHARS else value
    return max(_WORD.findall(beginning), key=len, default="")


def in_base64(value: str, user: str = "") -> list[str]:
    """List what base64 makes of a value: alone, behind a user name, and inside a longer text."""
    found = [_base64(f"{user}:{value}"), _base64(value), *_inside_base64(value)]
    return list(dict.fromkeys([*found, *(it.translate(_FOR_ADDRESSES) for it in found)]))


def _cut_off(characters: Sequence[str], least: int) -> str:
    """Build the pattern of the beginning of a value, at least so much, at the end of a word.

    Names, links, alerts and messages of the console are cut before they are masked.
    """
    if not least < len(characters) <= MAX_CUT_CHARS:
        return ""
    more = ""
    for character in reversed(characters[least:]):
        more = f"(?:{character}{more})?"
    return rf"|{''.join(characters[:least])}{more}(?![^\W_])"


def _least_cut(value: str) -> int:
    """Return how much of a value is told from other words: half of it, and more than a word."""
    word = _WORD.match(value)
    first = word.end() + 2 if word and word.end() < len(value) else 0
    return max(MIN_CUT_CHARS, first, -(-len(value) // 2))


def _character(char: str) -> str:
    """Build the pattern of a character, or of backslashes, also if they were escaped twice."""
    if char.isascii() and char.isalnum():
        return char
    if char.startswith("\\"):
        return _BACKSLASHES
    code = ord(char)
    percent = "".join(f"%(?:25){{0,2}}{byte:02x}" for byte in char.encode("utf-8", "replace"))
    name = html.escape(char).strip("&;")
    written = [
        rf"\\{{0,7}}{re.escape(char)}",  # JSON in JSON has more of them; `\/` is PHP's
        rf"(?i:\\{{1,7}}u{code:04x}|{percent}|&(?:amp;)*#(?:{code}|x{code:x});)",
        *([rf"&(?:amp;)*{name};"] if len(name) > 1 else []),
        *([r"\+"] if char == " " else []),
        *([re.escape(json.dumps(char)[1:-1])] if code > 0xFFFF else []),
    ]
    return f"(?:{'|'.join(written)})"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode().rstrip("=")


def _inside_base64(value: str) -> Iterator[str]:
    """List what base64 makes of a value in a longer text, such as JSON, whatever stands around it.

    Three bytes become four letters, so the place matters; letters that hold a part of a neighbour
    are left out.
    """
    length = len(value.encode("utf-8", "replace"))
    for before in range(3):
        letters = _base64("\0" * before + value)[-(-before * 4 // 3) : (before + length) * 4 // 3]
        if len(letters) >= MIN_INNER_CHARS:
            yield letters
