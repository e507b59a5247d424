"""The trust boundary around page words, which no page can forge or close from inside."""

import re
import unicodedata

from browse.registry.results import inline_url

BEGIN = "--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {source}) ---"
END = "--- END UNTRUSTED EXTERNAL CONTENT ---"

_GAPS = bytes(code for code in range(128) if not chr(code).isalnum())
# Everything that some reader takes for the end of a line.
_LINE_END = re.compile("(\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])")


def wrap(text: str, source: str) -> str:
    """Put page words between the markers."""
    return f"{BEGIN.format(source=inline_url(source))}\n{defuse(text)}\n{END}"


def defuse(text: str) -> str:
    """Break every line that could be read as one of our markers, in any case, spacing or width."""
    if not _reads_as_marker(text):
        return text
    parts = _LINE_END.split(text)
    parts[::2] = [_break(line) if _reads_as_marker(line) else line for line in parts[::2]]
    return "".join(parts)


def _reads_as_marker(text: str) -> bool:
    squeezed = _squeezed(text)
    return b"untrustedexternalcontent" in squeezed or b"untrustedwebcontent" in squeezed


def _squeezed(text: str) -> bytes:
    """Keep ASCII letters and digits only, in one case.

    Wide, styled and accented letters become plain ones; everything else goes, because a page could
    hide it (a zero-width character) in a marker that then reads the same and compares differently.
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return plain.casefold().encode("ascii", "ignore").translate(None, _GAPS)


def _break(line: str) -> str:
    """Quote a forged marker: it stays readable and no longer stands at the start of a line."""
    return "| " + re.sub(r"(?i)(c)(ontent)", "\\1\u200b\\2", line)
