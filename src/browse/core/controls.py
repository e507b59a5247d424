"""Control characters (C0, DEL, C1), made visible: a terminal would obey them.

Everything that is printed or logged passes here. Only tab and line end stay as they are.
"""

import re
from typing import Any

import msgspec

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PICTURES = {code: chr(0x2400 + code) for code in range(32) if code not in (9, 10)}
PICTURES |= {0x7F: "\u2421", **dict.fromkeys(range(0x80, 0xA0), "\ufffd")}
# Those that JSON does not escape, as UTF-8: DEL and C1.
_IN_JSON = re.compile(rb"\x7f|\xc2[\x80-\x9f]")


def visible(text: str) -> str:
    """Replace control characters by pictures of them; the text keeps its lines."""
    if not _CONTROL.search(text):
        return text
    return text.replace("\r\n", "\n").translate(PICTURES)


def one_line(text: str) -> str:
    """Escape what is not printable, so that the text can stand inside a line of ours."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def encode_json(data: Any) -> bytes:
    """Encode as JSON, with every control character escaped."""
    return _IN_JSON.sub(lambda raw: b"\\u%04x" % raw[0][-1], msgspec.json.encode(data))
