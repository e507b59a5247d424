"""Taking in a file that comes in pieces: bounded, counted, hashed, and looked at."""

import asyncio
import hashlib
import shlex
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from browse.browser.files.incoming_file import Incoming, failed, too_large
from browse.guard import kinds
from browse.guard.files import WritePath, filling
from browse.registry.results import from_page, inline_url

MB = 1024 * 1024
QUARANTINE = ".quarantine"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came: how much of how much, what it is said to be and what it looks like."""

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
        said = []
        if kinds.contradict(self.declared, self.sniffed):
            said.append(
                f"[warning] it was declared {self.declared}, but its bytes are {self.sniffed}"
            )
        if self.program:
            command = shlex.join(["mv", self.path, self.path.removesuffix(QUARANTINE)])
            said.append(f"[warning] it is {self.program}, and was put aside; to use it: {command}")
        return said

    def headline(self, place: str) -> str:
        """Write the first line: where it is, how large, of which type, and the suggested name."""
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


async def take(arriving: Incoming, put: Callable[[bytes], object], *, limit: int) -> Receipt:
    """Take all of it, or fail: what is too large is ended as soon as that is known."""
    _require_fit(arriving, limit)
    digest, size, head = hashlib.sha256(), 0, b""

    def keep(piece: bytes) -> None:
        digest.update(piece)
        put(piece)

    async for piece in arriving.pieces:
        size += len(piece)
        if size > limit:
            raise too_large(limit)
        head += piece[: kinds.HEAD_BYTES - len(head)]
        await asyncio.to_thread(keep, piece)
    if arriving.length is not None and size < arriving.length:
        raise failed(f"only {size:,} of {arriving.length:,} bytes came")
    return Receipt(
        size,
        arriving.length,
        digest.hexdigest(),
        kinds.declared_type(arriving.type),
        kinds.sniffed(head),
        arriving.name,
    )


async def save(
    arriving: Incoming, path: WritePath, *, limit: int, programs: bool = False
) -> Receipt:
    """Put it into a file, which appears when it is whole; a program gets a name that does not run.

    With `programs` it gets its own name. No file that is saved has the right to be run.
    """
    _require_fit(arriving, limit)
    head, arriving = await _looked_into(arriving)
    what = "" if programs else kinds.program(head, path.real, arriving.name)
    if what:
        path = path.beside(Path(path.real).name + QUARANTINE)
    with filling(path) as file:
        receipt = await take(arriving, file.write, limit=limit)
    return replace(receipt, program=what, path=path.real)


def _require_fit(arriving: Incoming, limit: int) -> None:
    if (arriving.length or 0) > limit:
        raise too_large(limit)


async def _looked_into(arriving: Incoming) -> tuple[bytes, Incoming]:
    """Take the first bytes, and put them back."""
    rest, head = aiter(arriving.pieces), b""
    while len(head) < kinds.HEAD_BYTES and (piece := await anext(rest, None)) is not None:
        head += piece

    async def whole() -> AsyncIterator[bytes]:
        yield head
        async for piece in rest:
            yield piece

    return head, replace(arriving, pieces=whole())


def refuse_playlist(path: str, type: str = "") -> None:
    """Refuse the list of a film's pieces, which is not the film."""
    if kind := kinds.playlist(path, type):
        raise failed(
            f"this is a playlist ({kind} stream): a list of the pieces of a film, not the film",
            hint="fetch the film with `yt-dlp <url>` or `ffmpeg -i <url> film.mp4`",
        )
