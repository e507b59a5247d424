"""The one table of invisible characters: those that Unicode calls default-ignorable.

Unicode promises to add none outside these ranges. The annotation characters are included: no
browser shows them either.
"""

import re

RANGES = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
ANY = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in RANGES) + "]"
# The same for the page scripts, whose source is ASCII.
ANY_IN_JS = "[" + "".join(rf"\u{{{first:x}}}-\u{{{last:x}}}" for first, last in RANGES) + "]"
_ANY = re.compile(ANY)  # a third quicker to search than a run of them
RUN = re.compile(f"{ANY}+")
# Tag characters: they spell ASCII that nobody sees.
TAGS = re.compile("[\U000e0020-\U000e007e]")


def holds_invisible(text: str) -> bool:
    """Check whether a text contains invisible characters."""
    return not text.isascii() and _ANY.search(text) is not None


def untagged(tags: str) -> str:
    """Return the letters that tag characters spell."""
    return "".join(chr(ord(tag) - 0xE0000) for tag in TAGS.findall(tags))
