"""The audit log: a line for each command, without what a person typed into pages.

The type of each parameter decides which words are logged (`Param.noted`). If the words cannot be
bound to parameters, none of them is logged.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from browse.core.clock import stamp
from browse.core.controls import encode_json, one_line
from browse.core.errors import BrowseError, Code
from browse.dispatch.activity import Activity
from browse.dispatch.call import Call
from browse.dispatch.context import Ctx
from browse.guard.secrets import MASK, redacted_url, scrubbed
from browse.registry.bind import Bound
from browse.registry.results import Result

MAX_ARGS_CHARS = 200
MAX_ERROR_CHARS = 300
# Shorter words occur inside too many others to be removed from a message.
MIN_MASKED_CHARS = 3
MODE = "launched"


class AuditRow(msgspec.Struct):
    """The facts about a command, collected while it runs."""

    call: Call
    feed: Activity
    bound: Bound | None = None
    ctx: Ctx | None = None
    result: Result | None = None
    error: BrowseError | None = None

    def begin(self, bound: Bound) -> None:
        """Publish that the command was parsed and is about to run."""
        self.bound = bound
        words = _words(self.call, bound)
        self.feed.publish(
            "command_start", self.call.caller.holder, command=words["cmd"], args=words["args"]
        )


@contextmanager
def recorded(call: Call, write: Callable[[str], None], feed: Activity) -> Iterator[AuditRow]:
    """Write a line and publish an event when the block ends, however it ends."""
    row, begun, status = AuditRow(call, feed), time.monotonic(), "cancelled"
    since = stamp()
    try:
        yield row
        status = "error" if row.error else "ok"
    finally:
        tab = row.ctx.held if row.ctx else None
        line: dict[str, Any] = {
            "ts": since,
            **_words(call, row.bound),
            "origin": redacted_url(tab.url) if tab else "",
            "durationMs": round((time.monotonic() - begun) * 1000),
            "status": status,
            "mode": MODE,
            **_error(row),
        }
        write(encode_json({**line, "client": call.caller.holder}).decode())
        feed.publish(
            "error" if row.error else "command_end",
            call.caller.holder,
            command=line["cmd"],
            args=line["args"],
            url=line["origin"],
            duration=line["durationMs"],
            status=status,
            error=line.get("error"),
            tabId=tab.id if tab else None,
            refs=len(tab.refs.shown_to_anyone()) if tab else None,
            mode=MODE,
        )


def _words(call: Call, bound: Bound | None) -> dict[str, str]:
    if bound is None:
        typed = call.words[0] if call.words else ""
        return {"cmd": scrubbed(_cut(typed, 60)), "args": MASK if call.words[1:] else ""}
    first, *rest = call.words
    names = {first, *(f"{first} {word}" for word in rest)}
    alias = next((it.name for it in bound.spec.aliases if it.name in names), None)
    words = {"cmd": bound.spec.command, "args": _cut(" ".join(bound.noted), MAX_ARGS_CHARS)}
    return {**words, "aliasOf": alias} if alias else words


def _error(row: AuditRow) -> dict[str, str]:
    if row.error is None:
        return {}
    if row.bound is None and row.error.code is not Code.INTERNAL:
        return {"error": row.error.code.value}  # its message quotes the typed words
    return {"error": _cut(scrubbed(untyped(row.error.message, row)), MAX_ERROR_CHARS)}


def untyped(text: str, row: AuditRow) -> str:
    """Remove the words of a command that no log may keep from a text."""
    hidden = row.bound.hidden if row.bound else row.call.words[1:]
    for word in sorted(hidden, key=len, reverse=True):
        if len(word) >= MIN_MASKED_CHARS:
            text = text.replace(word, MASK)
    return text


def _cut(text: str, limit: int) -> str:
    return one_line(text if len(text) <= limit else text[:limit] + "…")
