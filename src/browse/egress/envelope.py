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
# where `i` becomes `l`.
_KINDS = ("external", "web", "page")
_BEFORE = (
    *(f"untrusted{kind}".encode() for kind in ("", *_KINDS)),
    *(
        f"{edge}{of}{kind}".encode()
        for edge in ("begln", "end")
        for of in ("", "of", "ofthe", "the")
        for kind in _KINDS
    ),
)
_BACKWARDS = tuple(words[::-1] for words in _BEFORE)
# Everything that a reader may take for the end of a line.
_LINE_END = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Characters that move the cursor of a terminal, and could overwrite a line of ours.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def wrap(text: str, source: str) -> str:
    """Put page words between the markers."""
    nonce = secrets.token_hex(4)
    begin = BEGIN.format(source=inline_url(source), nonce=nonce)
    return f"{begin}\n{defuse(text)}\n{END.format(nonce=nonce)}"


def defuse(text: str) -> str:
    """Break every line that looks like one of our markers, and make control characters visible."""
    if _CONTROL.search(text):
        text = _LINE_END.sub("\n", text).translate(PICTURES)
    if not _reads_as_marker(text):
        return text
    lines = text.split("\n")
    return "\n".join(_break(line) if _reads_as_marker(line) else line for line in lines)


def _reads_as_marker(text: str) -> bool:
    letters = squeezed(text)
    *before, _ = letters.split(b"content")
    _, *after = letters.split(b"tnetnoc")
    forwards = any(words.endswith(_BEFORE) for words in before)
    return forwards or any(words.startswith(_BACKWARDS) for words in after)


def _break(line: str) -> str:
    """Quote a forged marker: it stays readable, but not at the start of a line."""
    plain = line.encode("ascii", "backslashreplace").decode()
    return "| " + re.sub(r"(?i)(c)(ontent)", "\\1\u200b\\2", plain)
