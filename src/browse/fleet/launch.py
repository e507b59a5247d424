"""Start the head and local workers: processes of their own, that outlive the command.

Each gets its options as JSON and says in one line of JSON that it is ready, or what is wrong.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from browse import _where
from browse.core.errors import BrowseError
from browse.fleet.extra import fault
from browse.fleet.place import FleetProcess


class ReadyProcess(msgspec.Struct, frozen=True):
    """A process that is ready, and what it said."""

    process: FleetProcess
    facts: dict[str, Any]


def start(name: str, module: str, options: msgspec.Struct, log: Path) -> Callable[[], ReadyProcess]:
    """Start a program of ours; the result waits until it is ready, or raises what is wrong."""
    words = [sys.executable, "-I", "-m", __name__, module, msgspec.json.encode(options).decode()]
    fd = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=fd,
            start_new_session=True,
        )
    finally:
        os.close(fd)
    return lambda: _wait(name, process, log)


def _wait(name: str, process: subprocess.Popen[bytes], log: Path) -> ReadyProcess:
    assert process.stdout  # noqa: S101  # it was asked for
    try:
        with process.stdout as said:
            line = said.readline()
    except BaseException:
        process.send_signal(signal.SIGTERM)
        raise
    begun = FleetProcess(name, process.pid, _where.pid_start(process.pid))
    process.returncode = 0  # it goes on without us: nobody here waits for its end
    gone = {"error": [f"{name} did not start.", f"see {log}"]}
    answer: dict[str, Any] = json.loads(line) if line else gone
    if wrong := answer.get("error"):
        raise fault(*wrong)
    return ReadyProcess(begun, answer)


def main(words: list[str]) -> None:
    """Be such a program: read the options of a module's `serve`, and serve until the end."""
    module, raw = words
    serve: Callable[..., Coroutine[Any, Any, None]] = import_module(module).serve
    options = msgspec.json.decode(raw, type=get_type_hints(serve)["options"])
    try:
        asyncio.run(serve(options, _say))
    except BrowseError as exc:
        _say(error=[exc.message, exc.hint])
        sys.exit(1)


def _say(**answer: Any) -> None:
    """Say one thing to who started us, and nothing more."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    os.dup2(2, 1)


if __name__ == "__main__":
    main(sys.argv[1:])
