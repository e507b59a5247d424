"""Read request bodies up to a limit, and decode them."""

import asyncio
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from browse import _where
from browse.auth.caller import Caller
from browse.core.errors import BrowseError, Code
from browse.dispatch.call import Call

MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_AGENT_BODY_BYTES = 2 * 1024 * 1024
MAX_AGENT_CHARS = 100
SMALL = 64 * 1024  # for bodies other than commands
BODY_S = 60.0
T = TypeVar("T", bound=msgspec.Struct)


class CommandBody(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """The JSON form of a command."""

    command: str
    args: list[str] = []
    tab_id: int | None = None
    session: str = ""
    stdin: str = ""


def as_call(wanted: CommandBody, caller: Caller, project: str) -> Call:
    """Build a call from a command in JSON."""
    words = (wanted.command, *wanted.args)
    stdin = wanted.stdin.encode("utf-8", "replace")
    return Call(words, caller, project, wanted.tab_id, stdin, wanted.session)


class BatchBody(msgspec.Struct, forbid_unknown_fields=True):
    """Up to fifty commands; each is decoded separately, so that a bad one fails alone."""

    commands: list[msgspec.Raw]


class ArgvBody(msgspec.Struct, frozen=True):
    """The client's form of a command: the words as typed, the working folder, and stdin."""

    words: tuple[str, ...]
    cwd: str
    tab: str
    agent: str
    session: str
    origin: str
    snapshot: bool
    only_reads: bool
    at_terminal: bool
    start_options: str
    stdin: bytes


async def read_from(caller: Caller, request: Request) -> bytes:
    """Read the body of a command; raise if it is longer than this caller may send."""
    return await read(request, MAX_BODY_BYTES if caller.is_owner else MAX_AGENT_BODY_BYTES)


async def read(request: Request, limit: int = 0) -> bytes:
    """Read a body; raise if it is longer than the limit (0: the default limit)."""
    limit = limit or MAX_BODY_BYTES
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                size += len(chunk)
                if size > limit:
                    raise _too_large(limit)
                chunks.append(chunk)
    except TimeoutError as exc:
        raise _malformed(f"its body did not come within {BODY_S:g} s") from exc
    except ClientDisconnect as exc:
        raise _malformed("the connection ended before the body did") from exc
    return b"".join(chunks)


def _too_large(limit: int) -> BrowseError:
    return BrowseError(
        Code.TOO_LARGE,
        f"The request is larger than {limit // 1024:,} KiB.",
        hint="send less, or put it into a file and name the file",
    )


def decode(raw: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Decode JSON into a struct; raise an error that says what is wrong and where."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise _malformed(str(exc)) from exc


def decode_argv(raw: bytes, length: str) -> ArgvBody:
    """Split the client's body into its fields, the words and stdin."""
    if not _is_number(length) or int(length) > len(raw):
        raise _malformed("X-Browse-Argv does not fit the body")
    fields = raw[: int(length)].split(b"\0")
    if b"" not in fields[:-1]:
        raise _malformed("the argument block has no end of its fields")
    end = fields.index(b"")
    about: dict[str, str] = {}
    for field in fields[:end]:
        key, _, value = field.decode("utf-8", "surrogateescape").partition("=")
        about[key] = value
    words = tuple(word.decode("utf-8", "surrogateescape") for word in fields[end + 1 : -1])
    return ArgvBody(
        words,
        about.get("cwd", "/"),
        about.get("tab", ""),
        about.get("agent", ""),
        about.get("session", ""),
        about.get("from", ""),
        _is_on(about.get("snapshot", "")),
        _is_on(about.get("only_read", "")),
        "terminal" in about,
        about.get("start_options", ""),
        raw[int(length) :],
    )


def agent_name(form: ArgvBody, project: str) -> str:
    """Return the name of the owner's agent: its own, else that of its working tree.

    Several working trees can share a daemon with BROWSE_STATE_FILE.
    """
    if not form.agent and Path(form.cwd).is_relative_to(project):
        return ""
    name = "".join(filter(str.isprintable, form.agent or _where.git_root(form.cwd)))
    if len(name) <= MAX_AGENT_CHARS:
        return name
    # Two long paths may differ in a part that is cut away.
    return f"{sha256(name.encode()).hexdigest()[:8]}…{name[9 - MAX_AGENT_CHARS :]}"


def _is_on(switch: str) -> bool:
    return switch.strip().lower() not in _where.OFF


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 16  # int() raises for thousands of digits


def _malformed(reason: str) -> BrowseError:
    return BrowseError(
        Code.BAD_REQUEST,
        f"The request cannot be read: {reason}.",
        hint="docs/http.md shows what to send",
    )


def tab_number(raw: str) -> int | None:
    """Parse `BROWSE_TAB`; raise if it is not the number of a tab."""
    if not raw:
        return None
    if not _is_number(raw) or int(raw) < 1:
        raise BrowseError(
            Code.TAB_UNKNOWN,
            f"BROWSE_TAB={raw[:20]!r} is not a tab id.",
            hint="unset BROWSE_TAB, or run `browse tabs`",
        )
    return int(raw)
