"""Secrets in the bodies of requests and responses, by the kind of body."""

import re

from browse.guard.credentials import MASK, masked
from browse.guard.secrets import names_a_secret, redacted_pairs, scrubbed, without_field_values

# Types of text with names and values; in programs and markup, `name: x` is not a value.
_NAMED_VALUES = re.compile("json|text/plain", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\r?\n\r?\n")
_LAST_LINE_END = re.compile(r"\r?\n\Z")
_PART_NAME = re.compile(r""";[ \t]*name=["']?([^"';\r\n]{1,200})""", re.IGNORECASE)


def scrubbed_body(text: str, kind: str) -> str:
    """Mask the secrets in a body of that media type."""
    kind = kind.lower()
    if kind.startswith("multipart/"):
        return masked(_without_parts(text))
    if "x-www-form-urlencoded" in kind:
        return masked(redacted_pairs(text))
    text = without_field_values(text)
    return scrubbed(text) if _NAMED_VALUES.search(kind) else masked(text)


def is_form_in_parts(kind: str) -> bool:
    """Check whether a media type is that of a form with files."""
    return kind.lower().startswith("multipart/")


def _without_parts(text: str) -> str:
    """Mask the parts of a form whose names mean a secret."""
    edge = text.partition("\n")[0].rstrip("\r")
    if len(edge) <= 2 or not edge.startswith("--"):
        return text
    return edge.join(map(_without_value, text.split(edge)))


def _without_value(part: str) -> str:
    head = _BLANK_LINE.search(part)
    name = _PART_NAME.search(part, 0, head.start()) if head else None
    if head is None or name is None or not names_a_secret(name[1]):
        return part
    end = _LAST_LINE_END.search(part)
    return part[: head.end()] + MASK + (end[0] if end else "")
