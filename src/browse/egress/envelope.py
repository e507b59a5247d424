"""The envelope around page words, which no page can forge or close from inside.

The first and the last line carry a random number of the reply, which a page cannot know. A line
inside that looks like one of them is broken up, for readers that do not compare numbers.
"""

import re
import secrets

from browse.core.controls import PICTURES
from browse.registry.results import inline_url
from browse.security.characters.lookalikes import squeezed

BEGIN = "--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {source}) [{nonce}] ---"
END = "--- END UNTRUSTED EXTERNAL CONTENT [{nonce}] ---"

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


def wrap(text: str, source: str) -> str:
    """Put page words between the markers."""
    return enclose(defuse(text), source)


def enclose(defused: str, source: str) -> str:
    """Put words that hold no marker any more between the markers."""
    nonce = secrets.token_hex(4)
    begin = BEGIN.format(source=inline_url(source), nonce=nonce)
    return f"{begin}\n{defused}\n{END.format(nonce=nonce)}"


def defuse(text: str) -> str:
    """Break every line that looks like one of our markers, and make control characters visible."""
    text = show_controls(text)
    if not _reads_as_marker(text):
        return text
    lines = text.split("\n")
    return "\n".join(_break(line) if _reads_as_marker(line) else line for line in lines)


def show_controls(text: str) -> str:
    """Make the characters visible that a terminal would obey; keep tabs and ends of lines."""
    return _LINE_END.sub("\n", text).translate(PICTURES) if _CONTROL.search(text) else text


def _reads_as_marker(text: str) -> bool:
    letters = squeezed(text)
    return _holds_marker(letters) or _holds_marker(letters[::-1])


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
