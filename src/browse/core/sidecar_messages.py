"""The messages between the daemon and a sidecar: one JSON object a line, over two pipes."""

from typing import Literal

import msgspec

# A text of this many characters fits into a line, however it is escaped.
MAX_TEXT_CHARS = 10_000
MAX_LINE_BYTES = 8 * MAX_TEXT_CHARS


class SidecarQuestion(msgspec.Struct, frozen=True):
    """Sent by the daemon; the answer has the same `id`."""

    id: int
    op: Literal["scan", "ping", "status"]
    text: str = ""


class SidecarAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Sent by the sidecar; `confidence` for a scan, `status` for a status, `error` if not ok."""

    id: int
    ok: bool
    confidence: float | None = None
    status: str = ""
    error: str = ""
