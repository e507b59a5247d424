"""The envelope around page words, which no page can forge or close from inside.

The first and the last line carry a random number of the reply, which a page cannot know. A line
inside that looks like one of them, in the short or the long form, is quoted, for readers that do
not compare numbers.
"""

import re
import secrets

from browse.core.controls import PICTURES
from browse.registry.results import inline_url
from browse.security.characters.lookalikes import legible, squeezed

BEGIN = "--- page{source} [{nonce}]"
END = "--- end [{nonce}]"
LONG_BEGIN = "--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {source}) [{nonce}] ---"
LONG_END = "--- END UNTRUSTED EXTERNAL CONTENT [{nonce}] ---"
# The source of words of the page that is open, where no address is known.
THE_PAGE = "page"

# A line whose first letters are `page` or `end`, whatever stands before and between them.
_INSIDE = r"[^a-z0-9@\n]*"
_WORDS = "|".join(map(_INSIDE.join, (["p", "[a4@]", "[g69]", "[e3]"], ["[e3]", "n", "d"])))
_SHORT = re.compile(
    rf"^(?P<before>[^a-z0-9\n]*)(?:{_WORDS})(?![a-z0-9])(?P<rest>.*)$",
    re.MULTILINE | re.IGNORECASE,
)
# What can follow: a number in brackets. The gaps are limited, because a line may be all brackets.
_BRACKET, _GAP = r"[\[({<\u3010\u3014\u27e6\u300c]", r"[^a-z0-9\n]{0,8}"
_IN_BRACKETS = re.compile(rf"{_BRACKET}{_GAP}(?:[a-z0-9]{_GAP}){{4}}", re.IGNORECASE)
_NUMBER = re.compile(rf"{_BRACKET}{_GAP}(?:[0-9a-fo]{_GAP}){{8}}(?![a-z0-9])", re.IGNORECASE)
_LETTERS = re.compile("[a-z0-9]", re.IGNORECASE)
# Characters that let a line be read from its end.
_TURNED = re.compile("[\u202a-\u202e\u2066-\u2069]")
_OTHER_WAY = str.maketrans("[](){}<>", "][)(}{><")

# What precedes `content` in a line that looks like a marker, in the form that `squeezed` returns,
# where `i` becomes `l`: `untrusted` and a word or two, or an edge and what it is the content of.
_UNTRUSTED = b"untrusted"
_UNTRUSTED_CHARS = len(_UNTRUSTED) + 24
_KINDS = (b"external", b"web", b"page", b"slte")
_EDGE = re.compile(rb"(?:begln|end)(?:of|the|thls)*(?:external|web|page|slte)+\Z")
_EDGE_CHARS = 64
# Everything that a reader may take for the end of a line.
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Characters that move the cursor of a terminal, and could overwrite a line of ours.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def wrap(text: str, source: str, *, long: bool = False) -> str:
    """Put page words between the markers."""
    return enclose(defuse(text), source, long=long)


def enclose(defused: str, source: str, *, long: bool = False) -> str:
    """Put words that hold no marker any more between the markers; "" is no source."""
    nonce = secrets.token_hex(4)
    shown = inline_url(source)
    if long:
        begin, end = LONG_BEGIN.format(source=shown or THE_PAGE, nonce=nonce), LONG_END
    else:
        begin, end = BEGIN.format(source=f" {shown}" if shown else "", nonce=nonce), END
    return f"{begin}\n{defused}\n{end.format(nonce=nonce)}"


def defuse(text: str) -> str:
    """Quote every line that looks like one of our markers, and make control characters visible."""
    text = show_controls(text)
    if not _reads_as_marker(text):
        return text
    lines = text.split("\n")
    return "\n".join(_break(line) if _reads_as_marker(line) else line for line in lines)


def show_controls(text: str) -> str:
    """Make the characters visible that a terminal would obey; keep tabs and ends of lines."""
    return _LINE_END.sub("\n", text).translate(PICTURES) if _CONTROL.search(text) else text


def _reads_as_marker(text: str) -> bool:
    plain = legible(text)
    letters = squeezed(plain)
    return _holds_marker(letters) or _holds_marker(letters[::-1]) or _holds_short(plain)


def _holds_short(plain: str) -> bool:
    turned = plain[::-1].translate(_OTHER_WAY) if _TURNED.search(plain) else ""
    return any(map(_is_short, (*_SHORT.finditer(plain), *_SHORT.finditer(turned))))


def _is_short(line: re.Match[str]) -> bool:
    """Check whether a line has what else makes a short marker: a rule, a number in brackets."""
    before, rest = line["before"], line["rest"]
    if _NUMBER.search(rest):
        return True
    # Comments of HTML often say `<!-- end … -->`.
    ruled = len("".join(before.split())) >= 2 and "<" not in before
    return ruled and (not _LETTERS.search(rest) or bool(_IN_BRACKETS.search(rest)))


def _holds_marker(letters: bytes) -> bool:
    *before, _ = letters.split(b"content")
    return any(
        _UNTRUSTED in words[-_UNTRUSTED_CHARS:]
        or (words.endswith(_KINDS) and _EDGE.search(words[-_EDGE_CHARS:]))
        for words in before
    )


def _break(line: str) -> str:
    """Quote a forged marker: it stays readable, but not at the start of a line."""
    plain = line.encode("ascii", "backslashreplace").decode()
    return "| " + re.sub(r"(?i)(c)(ontent)", "\\1\u200b\\2", plain)
