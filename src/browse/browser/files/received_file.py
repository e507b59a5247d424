"""Receive a file in pieces: limit its size, hash it, detect its type."""

import asyncio
import hashlib
import shlex
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from browse.browser.files.incoming_file import IncomingFile, download_failed, too_large
from browse.guard import file_types
from browse.guard.files import WritePath, filling
from browse.registry.results import from_page, inline_url

MB = 1024 * 1024
QUARANTINE = ".quarantine"


class ReceivedFile(msgspec.Struct, frozen=True):
    """A file that was received: size, hash, and its declared and detected type."""

    size: int
    announced: int | None
    sha256: str
    declared: str
    sniffed: str
    name: str
    program: str = ""
    path: str = ""

    @property
    def type(self) -> str:
        return self.declared or self.sniffed or "application/octet-stream"

    @property
    def warnings(self) -> list[str]:
        lines = []
        if file_types.contradict(self.declared, self.sniffed):
            lines.append(
                f"[warning] it was declared as {self.declared}, but its bytes are {self.sniffed}"
            )
        if self.program:
            command = shlex.join(["mv", self.path, self.path.removesuffix(QUARANTINE)])
            lines.append(
                f"[warning] it is {self.program}, and was quarantined; to use it: {command}"
            )
        return lines

    def headline(self, place: str) -> str:
        """Return the first line of the reply: path, size, type and suggested name."""
        suggested = f" [{inline_url(self.name, 80)}]" if self.name else ""
        return f"Downloaded: {place} ({in_kb(self.size)}KB, {self.type}){suggested}"

    def details(self) -> str:
        of = f" of {self.announced:,}" if self.announced is not None else ""
        looks = f", looks like {self.sniffed}" if self.sniffed else ""
        return f"{self.size:,}{of} bytes, sha256 {self.sha256}{looks}"

    def facts(self) -> dict[str, Any]:
        return {
            "bytes": self.size,
            "contentLength": self.announced,
            "sha256": self.sha256,
            "type": self.type,
            "declaredType": self.declared or None,
            "sniffedType": self.sniffed or None,
            "quarantined": self.program or None,
            "warnings": self.warnings,
            **from_page(suggestedName=self.name or None),
        }


def in_kb(size: int) -> int:
    return round(size / 1024)


async def receive(
    incoming: IncomingFile, put: Callable[[bytes], object], *, limit: int
) -> ReceivedFile:
    """Receive a whole file, or raise; a file that is too large is aborted at once."""
    _require_size(incoming, limit)
    digest, size, head = hashlib.sha256(), 0, b""

    def keep(piece: bytes) -> None:
        digest.update(piece)
        put(piece)

    async for piece in incoming.pieces:
        size += len(piece)
        if size > limit:
            raise too_large(limit)
        head += piece[: file_types.HEAD_BYTES - len(head)]
        await asyncio.to_thread(keep, piece)
    if incoming.length is not None and size < incoming.length:
        raise download_failed(f"only {size:,} of {incoming.length:,} bytes came")
    return ReceivedFile(
        size,
        incoming.length,
        digest.hexdigest(),
        file_types.declared_type(incoming.type),
        file_types.sniffed(head),
        incoming.name,
    )


async def receive_to_file(
    incoming: IncomingFile, path: WritePath, *, limit: int, programs: bool = False
) -> ReceivedFile:
    """Receive a file to disk, where it appears when complete; quarantine a program.

    With `programs`, a program keeps its name. No saved file is executable.
    """
    _require_size(incoming, limit)
    head, incoming = await _peek(incoming)
    what = "" if programs else file_types.program(head, path.real, incoming.name)
    if what:
        path = path.beside(Path(path.real).name + QUARANTINE)
    with filling(path) as file:
        receipt = await receive(incoming, file.write, limit=limit)
    return replace(receipt, program=what, path=path.real)


def _require_size(incoming: IncomingFile, limit: int) -> None:
    if (incoming.length or 0) > limit:
        raise too_large(limit)


async def _peek(incoming: IncomingFile) -> tuple[bytes, IncomingFile]:
    """Return the first bytes, and the file with all its bytes still to be read."""
    rest, head = aiter(incoming.pieces), b""
    while len(head) < file_types.HEAD_BYTES and (piece := await anext(rest, None)) is not None:
        head += piece

    async def whole() -> AsyncIterator[bytes]:
        yield head
        async for piece in rest:
            yield piece

    return head, replace(incoming, pieces=whole())


def refuse_playlist(path: str, type: str = "") -> None:
    """Raise if this is a playlist, which lists the pieces of a video."""
    if kind := file_types.playlist(path, type):
        raise download_failed(
            f"this is a playlist ({kind} stream): a list of the pieces of a video, not the video",
            hint="fetch the video with `yt-dlp <url>` or `ffmpeg -i <url> video.mp4`",
        )
