"""Run a set-up command in this process: bind its words, call it, print what it returns."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType

from browse import _exit
from browse.core.controls import visible
from browse.core.errors import BrowseError
from browse.core.text import well_formed
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.results import Result
from browse.registry.spec import declared_in
from browse.registry.table import CommandTable
from browse.setup import commands

# What an interruption leaves of each command.
LEFT = {
    "install": "What was fetched so far is dropped. Type `browse install` to begin again.",
    "doctor": "It changes nothing.",
    "demo": "Its daemon has ended and its files are removed.",
}


def main(
    words: Sequence[str], module: str = commands.__name__, left: Mapping[str, str] = LEFT
) -> int:
    """Bind the words as the daemon would, run the command of a module, print its result."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text stream has it
    _listen()
    try:
        return _run(_bind(words, module))
    except BrowseError as exc:
        print(visible(f"browse: {exc.message}\n  {exc.hint}"), file=sys.stderr)
        return exc.exit
    except KeyboardInterrupt:
        kept = next((left[word] for word in words if word in left), "")
        print(f"\nbrowse: interrupted. {kept}".rstrip(), file=sys.stderr)
        return _exit.INTERRUPTED
    except BrokenPipeError:  # `browse doctor | head`: what is left to print goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _exit.BROKEN_PIPE


def _listen() -> None:
    """Let SIGINT and SIGTERM interrupt at once, unless our starter chose to ignore them.

    With a handler of its own, asyncio would take the first Ctrl-C as a request to cancel a task,
    and commands that wait for programs never come to that.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # what is cleaned up now takes seconds at most
    raise KeyboardInterrupt


def _run(bound: Bound) -> int:
    result = asyncio.run(_call(bound))
    if bound.wants_json:
        print(visible(json.dumps(result.data, ensure_ascii=False, indent=2)), flush=True)
    elif result.text:
        print(visible(result.text), flush=True)
    return _exit.OK if result.data.get("ok") else _exit.FAILED


def _bind(words: Sequence[str], module: str) -> Bound:
    spec, rest = CommandTable(declared_in({module})).split(words or [""])
    return bind(spec, rest, Surroundings(str(Path.cwd()), Roots(())))


async def _call(bound: Bound) -> Result:
    positional, flags = bound.call()
    say = partial(_print_line, to_stderr=bound.wants_json)
    return await bound.spec.handler(say, *positional, **flags)


def _print_line(line: str, *, to_stderr: bool) -> None:
    print(visible(well_formed(line)), file=sys.stderr if to_stderr else sys.stdout, flush=True)
