"""The trust boundary around page words, which no page can forge or close from inside."""

import re
import unicodedata

from browse.registry.results import inline_url

BEGIN = "--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {source}) ---"
END = "--- END UNTRUSTED EXTERNAL CONTENT ---"

# Characters that show nothing (zero-width, joiners, bidi controls, variation selectors): a page
# could hide them inside a marker so that it reads the same and compares differently.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_MARKER = re.compile(r"untrusted\W*(external|web)\W*content")


def wrap(text: str, source: str) -> str:
    """Put page words between the markers."""
    return f"{BEGIN.format(source=inline_url(source))}\n{defuse(text)}\n{END}"


def defuse(text: str) -> str:
    """Break every line that could be read as one of our markers, in any case, spacing or width."""
    if "ntrusted" not in _folded(text):
        return text
    return "\n".join(_break(line) if _reads_as_marker(line) else line for line in text.split("\n"))


def _folded(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _reads_as_marker(line: str) -> bool:
    squeezed = re.sub(r"[\W_]+", "", _folded(line))
    return (
        bool(_MARKER.search(_folded(line)))
        or "untrustedexternalcontent" in squeezed
        or "untrustedwebcontent" in squeezed
    )


def _break(line: str) -> str:
    """Quote a forged marker: it stays readable and no longer stands at the start of a line."""
    return "| " + re.sub(r"(?i)(c)(ontent)", "\\1\u200b\\2", line)
