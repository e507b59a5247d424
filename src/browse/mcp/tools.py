"""The three tools: `read`, `act`, `help`. Their input is a command line in words."""

import json
import shlex
from dataclasses import replace
from functools import partial
from typing import Any

from browse.mcp import pictures
from browse.mcp._offer import PICTURES
from browse.mcp.messages import INVALID_PARAMS, RpcError
from browse.mcp.runs import Finish, Json, Run, RunOutcome, command_at

_WORDS: Json = {"type": "array", "items": {"type": "string"}}
_AIM: Json = {
    "tab": {"type": "integer", "minimum": 1, "description": "tab id; else your current tab"},
    "session": {"type": "string", "description": "name of a session with its own tabs and logins"},
}


def _tool(name: str, what: str, fields: Json, needed: list[str], **hints: bool) -> Json:
    schema = {"type": "object", "properties": fields, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    annotations = {f"{hint}Hint": value for hint, value in hints.items()}
    return {"name": name, "description": what, "inputSchema": schema, "annotations": annotations}


TOOLS = [
    _tool(
        "read",
        'Run a browse command that only looks: ["snapshot","-i"], ["text","main"], ["screenshot"].'
        " One that may change something is refused.",
        {"args": _WORDS, **_AIM},
        ["args"],
        readOnly=True,
        openWorld=True,
    ),
    _tool(
        "act",
        'Run any browse command: ["goto","https://example.com"], ["click","@e3"],'
        ' ["fill","@e5","Ada"].',
        {"args": _WORDS, "stdin": {"type": "string"}, **_AIM},
        ["args"],
        readOnly=False,
        destructive=True,
        idempotent=False,
        openWorld=True,
    ),
    _tool(
        "help",
        'Explain a command with its flags, e.g. ["snapshot"]; without one, list all.',
        {"args": _WORDS},
        [],
        readOnly=True,
        openWorld=False,
    ),
]
_FIELDS = {tool["name"]: frozenset(tool["inputSchema"]["properties"]) for tool in TOOLS}
_EXAMPLE = 'For example: {"args": ["text", "main"]}'


class Misused(Exception):
    """Arguments of a tool that cannot be used; the model is told, and may try again."""


def run(params: Json) -> Run | Json:
    """Return the command of a call, or the result that says what is wrong with its arguments."""
    name, given = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or name not in _FIELDS:
        known = ", ".join(_FIELDS)
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {str(name)[:60]!r}. There are: {known}.")
    try:
        if not isinstance(given, dict):
            raise Misused("the arguments are an object.")
        return _run(name, given)
    except Misused as exc:
        return failed(f"{name}: {exc}\n{_EXAMPLE}")


def _run(name: str, given: Json) -> Run:
    if odd := [key for key in given if key not in _FIELDS[name]]:
        raise Misused(f"there is no {odd[0][:40]!r}; it takes {', '.join(sorted(_FIELDS[name]))}.")
    words = _words(given.get("args", []))
    if name == "help":
        return Run(("help", *words), _text)
    if not words:
        raise Misused("args is empty; it is a command with its arguments.")
    tab, session, stdin = given.get("tab"), given.get("session", ""), given.get("stdin", "")
    if tab is not None and (not isinstance(tab, int) or isinstance(tab, bool) or tab < 1):
        raise Misused('tab is the number of a tab; read with args ["tabs"] lists them.')
    if not _is_text(session) or not isinstance(stdin, str):
        raise Misused("session and stdin are strings.")
    finish: Finish = _text
    if "--json" in words:
        finish = _data
    if words[at := command_at(words)] in PICTURES:
        words, finish = pictures.asked(words, at), partial(_with_pictures, finish)
    return Run(words, finish, tab, session, stdin, only_reads=name == "read")


def _words(given: Any) -> tuple[str, ...]:
    """Return the words of a command line; one that came in one piece is split."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list) or not all(_is_text(word) for word in given):
        raise Misused("args is a list of strings without NUL characters.")
    if len(given) == 1 and " " in given[0]:
        try:
            given = shlex.split(given[0])
        except ValueError as exc:
            raise Misused(f"args cannot be split into words: {exc}.") from None
    return tuple(given[1:] if given[:1] == ["browse"] else given)


def _is_text(word: Any) -> bool:
    """Check that a word can be passed on: NUL parts words, and half a character is none."""
    return (
        isinstance(word, str)
        and "\0" not in word
        and not any("\ud800" <= c <= "\udfff" for c in word)
    )


def failed(text: str) -> Json:
    """Build the result of a call that did nothing."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


def _text(outcome: RunOutcome) -> Json:
    result: Json = {"content": [{"type": "text", "text": outcome.text}]}
    if outcome.exit:
        result |= {"isError": True, "_meta": {"browse/exit": outcome.exit}}
    return result


def _data(outcome: RunOutcome) -> Json:
    """Return JSON as text and as data; in both, what the page wrote is below `page`."""
    result = _text(outcome)
    if facts := _facts(outcome):
        result["structuredContent"] = facts
    return result


def _with_pictures(finish: Finish, outcome: RunOutcome) -> Json:
    """Add the pictures to what a call gets without them."""
    if outcome.exit or not (facts := _facts(outcome)):
        return finish(outcome)
    blocks = pictures.content(facts, saved=outcome.reads_files)  # takes them out of the facts
    result = finish(replace(outcome, out=json.dumps(facts, ensure_ascii=False)))
    return {**result, "content": [*result["content"], *blocks]}


def _facts(outcome: RunOutcome) -> Json:
    for printed in (outcome.err, outcome.out) if outcome.exit else (outcome.out,):
        try:
            found = json.loads(printed)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    return {}
