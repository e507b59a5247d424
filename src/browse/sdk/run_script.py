"""Run one script with the SDK preloaded: `browse run`, and skills that `skill save` made of it.

The script finds `page`, the browser, and `args`, what was given as `--arg key=value`; other words
are in `sys.argv`. What it prints goes to stderr as it comes. Its result is `result`, if it sets
that, else the value of its last line.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from .browse_client import Browse, BrowseError, arguments, emit, log, parse

try:
    import _ast as ast  # what `ast` wraps, 3 ms cheaper
except ImportError:  # an interpreter that has no such module
    import ast  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_ONLY_PARSE = 0x400
_ENCODING = {"encoding": "utf-8", "errors": "backslashreplace", "line_buffering": True}


class Stopped(BaseException):
    """Somebody wants the script to end."""


def run_file(name: str) -> None:
    """Run the script of a saved skill, beside its `_lib`: print its result, or what went wrong."""
    path = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), name)
    result_fd = _prints_to_stderr()
    told = outcome(path, arguments())
    _flush()
    os.dup2(result_fd, 1)
    if error := told.get("error"):
        log("\n".join(filter(None, [describe(error), error.get("detail"), error.get("hint")])))
        sys.exit(told.get("exit", 1))
    emit(told["result"])
    sys.exit(told.get("exit", 0))


def tell(path: str, words: list[str]) -> int:
    """Run a script for `browse run`: write what became of it to stdout, as one JSON document."""
    result_fd = _prints_to_stderr()
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    args: dict[str, str] = {}
    while words[:1] == ["--arg"]:
        key, _, value = words[1].partition("=")
        args[key], words = value, words[2:]
    sys.argv = [path, *words]
    told = outcome(path, args)
    _flush()
    with open(result_fd, "wb") as file:
        file.write(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))
    return int(told.get("exit", 1 if "error" in told else 0))


def outcome(path: str, args: dict[str, str]) -> dict[str, Any]:
    """Run a script; return its result, or the error with the script's own line, as data."""
    source = ""
    try:
        with open(path, encoding="utf-8") as file:
            source = file.read()
        return {"result": _value(path, source, args)}
    except SystemExit as exc:
        if isinstance(exc.code, str):
            log(exc.code)
        code = exc.code if isinstance(exc.code, int) else 1 if exc.code else 0
        return {"result": None, "exit": code & 0xFF}
    except BaseException as exc:
        return {"error": _error(exc, path, source.splitlines())}


def describe(error: dict[str, Any]) -> str:
    """Say in one line or two where a script failed and why."""
    at = f"line {error['line']}: {error['text']}\n" if error["line"] else ""
    return at + str(error["what"])


def _value(path: str, source: str, args: dict[str, str]) -> object:
    main = type(sys)("__main__")
    sys.modules["__main__"] = main
    names = main.__dict__
    names.update(page=Browse(), args=args, BrowseError=BrowseError, parse=parse, __file__=path)
    tree: Any = compile(source, path, "exec", _ONLY_PARSE, dont_inherit=True)
    last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, path, "exec", dont_inherit=True), names)  # noqa: S102 - that is its purpose
    value = None
    if last is not None:
        line = compile(ast.Expression(last), path, "eval", dont_inherit=True)
        value = eval(line, names)  # noqa: S307 - as above
    chosen = "result" in names
    value = names["result"] if chosen else value
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as exc:
        if not chosen:  # the last line was no result, but something that was done
            return None
        raise TypeError(f"the result cannot be written as JSON: {exc}") from None
    return value


def _error(exc: BaseException, path: str, lines: list[str]) -> dict[str, Any]:
    line = exc.lineno if isinstance(exc, SyntaxError) and exc.filename == path else None
    trace = exc.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = lines[line - 1].strip() if line and line <= len(lines) else ""
    found: dict[str, Any] = {"line": line, "text": text, "what": _what(exc)}
    if isinstance(exc, BrowseError):
        found |= {"code": str(exc.code), "hint": str(exc.hint), "detail": str(exc.page)}
    return found


def _what(exc: BaseException) -> str:
    if isinstance(exc, Stopped):
        return ""
    said: Any = exc
    if isinstance(exc, BrowseError):
        said = exc.message
    elif isinstance(exc, SyntaxError):
        said = exc.msg
    try:
        words = str(said)
    except Exception:  # its own way to say what it is has failed
        words = ""
    if isinstance(exc, BrowseError):
        return words
    return f"{type(exc).__name__}: {words}" if words else type(exc).__name__


def _prints_to_stderr() -> int:
    """Send what is printed to stderr; return the descriptor that stdout had."""
    result_fd = os.dup(1)
    os.dup2(2, 1)
    streams: list[Any] = [sys.stdout, sys.stderr]
    for stream in streams:
        stream.reconfigure(**_ENCODING)
    return result_fd


def _flush() -> None:
    try:  # noqa: SIM105 - contextlib is too slow to import here
        sys.stdout.flush()
    except ValueError:  # the script has closed it
        pass


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


def main() -> None:
    """Run the script that the command line names."""
    os._exit(tell(sys.argv[1], sys.argv[2:]))
