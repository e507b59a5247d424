"""Receipts of what may leave this machine: a chain of lines, each with the hash of the one before.

Writing one must have succeeded before anything leaves. A file whose end is damaged takes no more:
going on would hide what happened to it.
"""

import asyncio
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder
from browse.core.growing import WAIT_S, alone, append
from browse.core.text import well_formed

MAX_FIELD_CHARS = 500
MAX_LINE_BYTES = 16 * 1024
SINK = "browse-tunnel"


class ChainCheck(msgspec.Struct, frozen=True):
    """Whether a chain is whole; if not, at which line it breaks first, and why."""

    whole: bool
    lines: int
    broken_at: int = 0
    why: str = ""


class Receipts:
    """The file of receipts."""

    def __init__(self, path: Path, *, wait_s: float = WAIT_S) -> None:
        self._path = path
        self._wait_s = wait_s

    async def write(self, *, host: str, payload_class: str, consent: str, sink: str = SINK) -> None:
        """Write a receipt to the disk; raises where that fails, and then nothing may leave."""
        fields = {"sink": sink, "host": host, "payload_class": payload_class}
        await asyncio.to_thread(self._write, {**fields, "consent": consent})

    def _write(self, fields: Mapping[str, str]) -> None:
        bounded = {name: well_formed(value[:MAX_FIELD_CHARS]) for name, value in fields.items()}
        try:
            private_folder(self._path.parent)
            with alone(self._path, wait_s=self._wait_s) as fd:
                os.fchmod(fd, 0o600)
                line = {"ts": stamp(), "type": "egress", **bounded, "bytes": 0, "sha256": None}
                last = _last_line(fd)
                raw = msgspec.json.encode({**line, "prev": _hash(last) if last else ""})
                append(fd, raw + b"\n")
                os.fsync(fd)
        except (OSError, ValueError, BrowseError) as exc:
            raise _refused(self._path, exc) from exc

    def verify(self) -> ChainCheck:
        """Go through the chain; blocks."""
        before, number = b"", 0
        try:
            with self._path.open("rb") as file:
                while raw := file.readline(MAX_LINE_BYTES + 1):
                    number += 1
                    if wrong := _fault(raw, before):
                        return ChainCheck(False, number, number, wrong)
                    before = raw[:-1]
        except FileNotFoundError:
            return ChainCheck(True, 0)
        return ChainCheck(True, number)


def _fault(raw: bytes, before: bytes) -> str:
    if not raw.endswith(b"\n"):
        return "it is cut off" if len(raw) <= MAX_LINE_BYTES else "it is too long"
    prev = _prev(raw[:-1])
    if prev is None:
        return "it is not a receipt"
    if prev != (_hash(before) if before else ""):
        return "the line before it was changed, removed or put there"
    return ""


def _prev(line: bytes) -> str | None:
    """Read the hash of the line before; None when this is no receipt."""
    try:
        receipt = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
        return msgspec.json.decode(receipt["prev"], type=str)
    except (msgspec.DecodeError, KeyError):
        return None


def _last_line(fd: int) -> bytes:
    """Read the last line, without its end; nothing of an empty file."""
    size = os.fstat(fd).st_size
    tail = os.pread(fd, MAX_LINE_BYTES, max(0, size - MAX_LINE_BYTES))
    if not tail:
        return b""
    if not tail.endswith(b"\n"):
        raise ValueError("its last line is cut off")
    line = tail[:-1].rpartition(b"\n")[2]
    if _prev(line) is None:
        raise ValueError("its last line is not a receipt")
    return line


def _hash(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def _refused(path: Path, exc: Exception) -> BrowseError:
    damaged = isinstance(exc, ValueError)
    reason = f"{exc.strerror if isinstance(exc, OSError) else exc}".rstrip(".") + "."
    return BrowseError(
        Code.STATE_UNUSABLE,
        f"No receipt could be written to {path}, so nothing was sent: {reason}",
        hint=(
            f"look at it, then put it aside: mv {path} {path}.damaged"
            if damaged
            else f"free space or correct the permissions at {path.parent}, then try again"
        ),
    )
