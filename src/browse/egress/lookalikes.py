"""What a line reads as to a hasty eye: plain lower-case letters, whatever it is really made of."""

# ruff: noqa: RUF001 - characters that can be taken for others are what this is about
import re
import unicodedata
from functools import lru_cache

# Characters that look like a letter of our markers, beyond what Unicode itself decomposes: Greek,
# Cyrillic, Armenian, Cherokee, Lisu, small capitals, phonetic signs, digits and signs in their
# place. `i`, `l`, `1` and `|` are one.
_LOOKS = {
    "a": "аΑαɑᴀꓮᗅ𐊠4@∀ΛᎪᗩⱯаДåÅ",
    "b": "ВвЬьБΒβʙᏴᏼƄɃƀꓐᗷ8ßᛒ",
    "c": "СсϹϲᴄℂƇȻꓚᏟⲤⲥ©¢ʗᑕ⊂ҀҁС",
    "d": "ԁᏧᎠᗞᗪꓓɗɖÐðđĐⅾꭰ",
    "e": "ЕеΕεєЄҽҾéᴇꓰᎬ3€ℯ∊ƐɛΣƎǝэЭё⋿ⴹ℮",
    "g": "ɡԍᏀꓖᏳɢƓǥ6ց9ɠ₲Ԍ",
    "l": "iIІіΙιỊꓲᎥᛁⅼ1!|¡ǀ∣ӏӀ׀ıɩļŁłꓡᏞʟⅬ⌊ι҆ΊїЇ",
    "n": "ΝηпПииИꓠɴռոᑎ∩ŋƝɲꞐñ₦ℕⲚ",
    "o": "ОоΟοσօՕ0°ᴏꓳøØθΘ◯○●⊙ⵔ𐊒ꬽѲѳ☉¤оⲞⲟჿ߀Ჿ",
    "r": "гГᴦɍʀꓣᎡᏒяЯ®ɾ₹ꭱᖇⲄⲅ",
    "s": "ЅѕՏꓢᏚᔕꜱ5$§ʂƧƨ𐊖ֆ",
    "t": "ТтΤτᴛꓔᎢ7+†ŧŦ⊤тⲦ𐊗ҭ丅",
    "u": "υսՍꓴᑌᴜʋμцЦ∪⋃ųԱ⊔цⴎվ",
    "w": "ѡԜԝᏔωшШщЩꓪᴡ₩Ѡա",
    "x": "ХхΧχꓫ×✕✖╳⨯ⅹᚷ᙮ҳ⤬ⲬⲭӾ",
}
FEW = 64
_TABLE = {char: letter for letter, chars in _LOOKS.items() for char in chars}
# Small capitals, letters in circles and boxes, with hooks and strokes: their names tell.
_NAMED = re.compile(r"(?!TAG ).*\bLETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .*)?")


def _plain(code: int) -> int:
    char = chr(code).lower()
    return ord(_TABLE.get(char, char))


_ASCII = bytes(_plain(code) if code < 128 else code for code in range(256))
_GAPS = bytes(code for code in range(128) if not chr(_plain(code)).isalpha())


def squeezed(text: str) -> bytes:
    """Keep what reads as an ASCII letter, in one case; everything else goes.

    What goes could be hidden by a page (a zero-width character) in a marker that then reads the
    same and compares differently.
    """
    if not text.isascii():
        text = _plainly(text)
    return text.encode("ascii", "ignore").translate(_ASCII, _GAPS)


def _plainly(text: str) -> str:
    """Exchange look-alikes; a long text has few kinds of them, and `replace` is the fastest way."""
    plain = {char: _reads_as(char) for char in set(text) if not char.isascii()}
    told = {char: letters for char, letters in plain.items() if letters}
    if len(told) > FEW:
        return text.translate({ord(char): letters for char, letters in told.items()})
    for char, letters in told.items():
        text = text.replace(char, letters)
    return text


@lru_cache(maxsize=10_000)
def _reads_as(char: str) -> str:
    if char in _TABLE:
        return _TABLE[char]
    taken_apart = unicodedata.normalize("NFKD", char)
    if taken_apart != char:
        return "".join(_TABLE.get(part, part) for part in taken_apart)
    named = _NAMED.fullmatch(unicodedata.name(char, ""))
    return named[1].lower() if named else ""
