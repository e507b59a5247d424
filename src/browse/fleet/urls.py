"""The list of pages: lines of a file or stdin, a column of a CSV file, or a sitemap.

A list may be longer than memory, so it is read twice: once to count and check it, once to send it.
"""

import csv
import gzip
import io
import re
import shutil
import sys
import tempfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from browse.core.errors import Usage
from browse.fleet.visit import Page

CSV, SITEMAP, LINES = "csv", "sitemap", "lines"
HEADERS = ("url", "link", "address", "href")
CHUNK_BYTES = 65_536
CONVERT = "convert it, if that is what it is: iconv -f {} -t utf-8 old.txt > urls.txt"
# With a name of an entity, a small file can become a huge one.
_DECLARED = re.compile(rb"<!(DOCTYPE|ENTITY)", re.IGNORECASE)


class UrlList:
    """The addresses of a list, each once, numbered in their order."""

    def __init__(self, source: str, column: str = "") -> None:
        self._name = "stdin" if source == "-" else source
        self._column = column
        self._spool = _stdin() if source == "-" else None
        self._path = Path(source)
        self._kind = _kind(self._path, column)
        self.twice = 0
        self.total = sum(1 for _ in self.pages())

    def pages(self) -> Iterator[Page]:
        """Read it from its start."""
        seen: set[int] = set()
        self.twice = 0
        for url in self._urls():
            mark = hash(url)
            if mark in seen:
                self.twice += 1
                continue
            yield Page(len(seen), url)
            seen.add(mark)

    def _urls(self) -> Iterator[str]:
        try:
            with self._open() as file:
                for word in READERS[self._kind](file, self._column):
                    if url := word.strip():
                        yield url
        except (
            OSError,
            EOFError,
            zlib.error,
        ) as exc:  # the last two: of a .gz that is cut or damaged
            raise self._unreadable(exc) from exc
        except UnicodeDecodeError as exc:
            of = "utf-16" if exc.object.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "latin1"
            why = f"{self._name} is not UTF-8: {exc.reason}"
            raise Usage(why, hint=CONVERT.format(of)) from exc
        except (csv.Error, ParseError, ValueError, LookupError) as exc:
            # The last two: of an encoding that the parser of XML does not know.
            raise Usage(f"{self._name} is not {self._kind}: {exc}", hint="look at it") from exc

    def _unreadable(self, exc: Exception) -> Usage:
        why = getattr(exc, "strerror", None) or exc
        is_address = "://" in self._name
        hint = f"fetch it first: curl -O {self._name}" if is_address else "give a file, or -"
        return Usage(f"{self._name[:300]} cannot be read: {why}", hint=hint)

    def _open(self) -> IO[bytes]:
        if self._spool:
            self._spool.seek(0)
            return io.BufferedReader(_Kept(self._spool))
        if self._path.suffix == ".gz":
            return io.BufferedReader(gzip.open(self._path))
        return self._path.open("rb")


class _Kept(io.RawIOBase):
    """Reads a file that stays open afterwards."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, room: memoryview) -> int:  # type: ignore[override]
        piece = self._file.read(len(room))
        room[: len(piece)] = piece
        return len(piece)


def _stdin() -> IO[bytes]:
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # it is read until the end
    try:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.flush()
    except OSError as exc:
        spool.close()
        hint = "free space there, or name a file"
        raise Usage(
            f"{tempfile.gettempdir()} cannot hold the list: {exc.strerror}", hint=hint
        ) from exc
    return spool


def _kind(path: Path, column: str) -> str:
    names = path.suffixes
    if ".xml" in names:
        return SITEMAP
    return CSV if column or ".csv" in names else LINES


def _text(file: IO[bytes]) -> Iterator[str]:
    with io.TextIOWrapper(file, "utf-8-sig", newline="") as lines:
        for line in lines:
            if "\0" in line:
                hint = CONVERT.format("utf-16le")
                raise Usage("the list has NUL characters: is it UTF-16?", hint=hint)
            yield line


def _lines(file: IO[bytes], _: str) -> Iterator[str]:
    return (line for line in _text(file) if not line.startswith("#"))


def _csv(file: IO[bytes], column: str) -> Iterator[str]:
    rows = csv.reader(_text(file))
    head = next(rows, [])
    wanted = [column] if column else HEADERS
    found = [at for at, name in enumerate(head) if name.strip().lower() in map(str.lower, wanted)]
    if not found:
        named = f"named {column!r}" if column else "of addresses"
        raise Usage(f"the CSV file has no column {named}", hint=f"it has: {', '.join(head)[:300]}")
    return (row[found[0]] for row in rows if len(row) > found[0])


def _sitemap(file: IO[bytes], _: str) -> Iterator[str]:
    parser: XMLPullParser[Any] = XMLPullParser(["end"])
    while piece := file.read(CHUNK_BYTES):
        if _DECLARED.search(piece):
            raise Usage("the sitemap declares entities", hint="a sitemap needs none; remove them")
        parser.feed(piece)
        for event in parser.read_events():
            element: Element = event[1]  # type: ignore[misc, assignment]  # of an end it is one
            name = element.tag.rpartition("}")[2]
            if name == "sitemap":
                named = (element.findtext("{*}loc") or "").strip()[:300]
                raise Usage(
                    f"this is an index, which names sitemaps and no pages, such as {named}",
                    hint="fetch each of them (curl -O), and give them one after the other",
                )
            if name == "loc":
                yield element.text or ""
            elif name == "url":
                element.clear()
    parser.close()


READERS = {LINES: _lines, CSV: _csv, SITEMAP: _sitemap}
