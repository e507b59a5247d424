"""Real applications as processes on loopback, each with its data in a folder of its own."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.cli import CALL_S, until

# Somebody else may take a port between our choice and the application's start.
TRIES = 3
# Databases are made and front ends prepared, at the first start.
START_S = 240
END_S = 20
LOG_CHARS = 3_000


@dataclass(frozen=True)
class Served:
    """An application that answers: its address, the folder with its data."""

    url: str
    folder: Path

    def get(self, path: str) -> str:
        """Ask the application itself, without the browser."""
        with urllib.request.urlopen(self.url + path, timeout=CALL_S) as answer:
            return answer.read().decode()

    def json(self, path: str) -> Any:
        return json.loads(self.get(path))


@contextlib.contextmanager
def served(words: list[str], folder: Path, ready: str = "/", **env: str) -> Iterator[Served]:
    """Run an application until it is left; `{port}` in its words becomes a free port.

    `ready` is a path that it answers once it has started. Its home is its folder.
    """
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    own = {"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **env}
    log = folder / "application.log"
    for left in reversed(range(TRIES)):
        port = str(_free_port())
        with log.open("wb") as output:
            process = subprocess.Popen(
                [word.replace("{port}", port) for word in words],
                cwd=folder,
                env={**kept, **own},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        url = f"http://127.0.0.1:{port}"
        try:
            if _starts(process, url + ready):
                yield Served(url, folder)
                return
        finally:
            _end(process)
        said = log.read_text(errors="replace")[-LOG_CHARS:]
        again = left and "in use" in said.lower()
        assert again, f"{words} ended with {process.returncode}: {said}"


def _free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def _starts(process: subprocess.Popen[bytes], url: str) -> bool:
    """Wait until it answers; False when it ends before that."""
    return until(
        lambda: _answers(url) or process.poll() is not None, seconds=START_S, what=url
    ) and (process.poll() is None)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=CALL_S):
            return True
    except urllib.error.HTTPError as exc:
        return exc.code < 500
    except OSError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with all that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)
