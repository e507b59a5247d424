"""What the daemon and a sidecar say to each other: one JSON object a line, over two pipes."""

from typing import Literal

import msgspec

# A text of this many characters fits into a line, however it is escaped.
MAX_TEXT_CHARS = 10_000
MAX_LINE_BYTES = 8 * MAX_TEXT_CHARS


class SidecarQuestion(msgspec.Struct, frozen=True):
    """Asked by the daemon; the answer bears the same number."""

    id: int
    op: Literal["scan", "ping", "status"]
    text: str = ""


class SidecarAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Given by the sidecar; `confidence` to a scan, `status` to a status, `error` if not ok."""

    id: int
    ok: bool
    confidence: float | None = None
    status: str = ""
    error: str = ""
