"""Write HAR files from recordings, and read HAR files for a replay.

Uses Python's own JSON reader: a page may put a lone surrogate into its title, which stricter
readers refuse.
"""

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from browse.core.errors import BrowseError, Code
from browse.guard.bodies import is_form_in_parts, scrubbed_body
from browse.guard.credentials import SEALED, masked
from browse.guard.secrets import HIDDEN_HEADERS, MASK, names_a_secret, redacted_url

MAX_BYTES = 200_000_000
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PAIR = re.compile(r"(^|;\s*)([^=;]*)=[^;]*")


class HarSummary(msgspec.Struct, frozen=True):
    """How many requests a HAR file has, and how many bodies were left out."""

    entries: int
    bodies_left_out: int


def write_har(recorded: Path, finished: Path, *, with_secrets: bool) -> HarSummary:
    """Write a HAR with the bodies, which are files beside the recording, and without logins."""
    log = json.loads(recorded.read_bytes())["log"]
    entries = log.pop("entries")
    bodies = _Bodies(recorded.parent)
    with finished.open("w", encoding="ascii") as out:
        head = json.dumps(log)[:-1]
        out.write(f'{{"log": {head if with_secrets else masked(head)}, "entries": [')
        for number, entry in enumerate(entries):
            bodies.embed(entry["response"]["content"])
            bodies.embed(entry["request"].get("postData") or {})
            if not with_secrets:
                _mask_entry(entry)
            out.write((",\n" if number else "\n") + SEALED.masked(json.dumps(entry)))
        out.write("\n]}}\n")
    return HarSummary(len(entries), bodies.left_out)


class _Bodies:
    def __init__(self, folder: Path) -> None:
        self.left_out = 0
        self._folder = folder
        self._left = MAX_BYTES // 2  # base64 and JSON make them larger

    def embed(self, content: dict[str, Any]) -> None:
        name = content.pop("_file", None)
        if name is None:
            return
        path = self._folder / name
        size = path.stat().st_size
        if size > self._left:
            self.left_out += 1
            content["comment"] = f"body of {size} bytes left out"
            return
        self._left -= size
        data = path.read_bytes()
        try:
            content["text"] = data.decode()
        except UnicodeDecodeError:
            content["text"], content["encoding"] = base64.b64encode(data).decode(), "base64"


def _mask_entry(entry: dict[str, Any]) -> None:
    request, response = entry["request"], entry["response"]
    request["url"] = redacted_url(request["url"])
    response["redirectURL"] = redacted_url(response.get("redirectURL", ""))
    _mask_body(response["content"])
    for pair in request.get("queryString", ()):
        _mask_pair(pair)
    if posted := request.get("postData"):
        _mask_body(posted)
        for pair in posted.get("params", ()):
            _mask_pair(pair)
    for message in (request, response):
        _mask_headers(message)


def _mask_pair(pair: dict[str, Any]) -> None:
    secret = names_a_secret(pair["name"])
    pair["value"] = MASK if secret else masked(pair.get("value") or "")


def _mask_body(content: dict[str, Any]) -> None:
    text, kind = content.get("text"), content.get("mimeType") or ""
    if not text:
        return
    if content.get("encoding") != "base64":
        content["text"] = scrubbed_body(text, kind)
    elif is_form_in_parts(kind):  # with a file that is no text; the other parts are
        body = scrubbed_body(base64.b64decode(text).decode("latin-1"), kind)
        content["text"] = base64.b64encode(body.encode("latin-1")).decode()


def _mask_headers(message: dict[str, Any]) -> None:
    for cookie in message.get("cookies", ()):
        cookie["value"] = MASK
    for header in message["headers"]:
        secret = (name := header["name"].lower()) in HIDDEN_HEADERS or names_a_secret(name)
        value = header["value"]
        header["value"] = _mask_header(name, value) if secret else redacted_url(value)


def _mask_header(name: str, value: str) -> str:
    """Mask a header; keep the names and attributes of cookies, which a replay needs."""
    if name not in ("cookie", "set-cookie"):
        return MASK
    count = 1 if name == "set-cookie" else 0
    return "\n".join(_PAIR.sub(rf"\1\2={MASK}", line, count=count) for line in value.split("\n"))


class _Header(msgspec.Struct):
    name: str
    value: str


class _Body(msgspec.Struct):
    text: str | None = None
    encoding: str | None = None
    file: str | None = msgspec.field(name="_file", default=None)


class _Request(msgspec.Struct, rename="camel"):
    method: str
    url: str
    headers: list[_Header] = []
    post_data: _Body | None = None


class _Response(msgspec.Struct):
    status: int
    headers: list[_Header] = []
    content: _Body = msgspec.field(default_factory=_Body)


class _Entry(msgspec.Struct):
    request: _Request
    response: _Response


class _Log(msgspec.Struct):
    entries: list[_Entry]


class _Har(msgspec.Struct):
    log: _Log


def copy_replayable(source: BinaryIO, copy: Path) -> tuple[int, int]:
    """Check a HAR and copy what can be replayed; return the counts of kept and left out entries.

    Requests without a proper response are left out: replaying one would leave a page waiting.
    """
    size = os.fstat(source.fileno()).st_size
    if size > MAX_BYTES:
        raise _unusable(f"it has {size:,} bytes; {MAX_BYTES:,} can be replayed")
    raw = source.read(MAX_BYTES)
    try:
        har = msgspec.convert(json.loads(raw.decode("utf-8-sig")), type=_Har)
    except (ValueError, RecursionError, msgspec.ValidationError) as exc:
        raise _unusable(f"it is not a complete HAR: {str(exc)[:200]}") from exc
    usable = list(_usable(har.log.entries))
    copy.write_bytes(_encoded(usable))
    return len(usable), len(har.log.entries) - len(usable)


def _usable(entries: Iterable[_Entry]) -> Iterator[_Entry]:
    for entry in entries:
        if entry.response.content.file or (entry.request.post_data or _Body()).file:
            raise _unusable("its bodies are in separate files")
        if 200 <= entry.response.status <= 599:
            headers = entry.response.headers
            entry.response.headers = [header for header in headers if _can_be_sent(header)]
            yield entry


def _can_be_sent(header: _Header) -> bool:
    return _TOKEN.fullmatch(header.name) is not None and not re.search("[\r\n\0]", header.value)


def _encoded(entries: list[_Entry]) -> bytes:
    return json.dumps(msgspec.to_builtins(_Har(_Log(entries)))).encode("ascii")


def _unusable(reason: str) -> BrowseError:
    return BrowseError(
        Code.FILE_UNUSABLE,
        f"har: the file cannot be replayed: {reason}.",
        hint="make one with `browse har record <file>`; nothing has changed",
    )
